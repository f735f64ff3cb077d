import { type Automaton, DEAD } from './automaton.ts';
import type { Point } from './space.ts';

/** Edges of a diagram at most: some 40 MB and a few seconds. */
export const MAX_EDGES = 2 ** 23;
/** A level may have this many nodes, however many there were before. */
const MIN_LEVEL_NODES = 1024;

export interface DiagramOptions {
  /** How many values each parameter has. */
  readonly widths: readonly number[];
  /** In which order parameters are bound. */
  readonly order: readonly number[];
  readonly automata: readonly Automaton[];
  readonly maxEdges?: number;
}

/**
 * The points that satisfy every condition, as a decision diagram: a level for each parameter, an edge for each of its
 * values, and one node for all beginnings that have the same continuations as far as the conditions can tell. The
 * product of the parameters is never walked. Counting paths from the end gives the number of points, and with it the
 * point of any rank. (Bergman, Cire, van Hoeve & Hooker, «Decision Diagrams for Optimization», Springer 2016.)
 *
 * Where a level would grow too wide, the condition that splits it most is left open from there on: the diagram then
 * holds every feasible point and others, and `open` says which conditions are still to be asked.
 */
export class Diagram {
  readonly #order: readonly number[];
  readonly #widths: readonly number[];
  readonly #children: readonly Int32Array[];
  readonly #counts: readonly Float64Array[];
  /** Automata, by index, that its points may break. */
  readonly open: ReadonlySet<number>;
  readonly edges: number;

  constructor(options: DiagramOptions) {
    this.#order = options.order;
    this.#widths = options.order.map((parameter) => options.widths[parameter]!);
    const { children, open } = new Builder(options).build();
    this.#children = children;
    this.open = open;
    this.edges = children.reduce((sum, { length }) => sum + length, 0);
    this.#counts = countPaths(children, this.#widths);
  }

  /** How many points there are; exact up to 2^53. */
  get count(): number {
    return this.#counts[0]?.[0] ?? 1;
  }

  has(point: Point): boolean {
    if (this.count === 0) return false;
    let node = 0;
    for (let level = 0; level < this.#order.length; level++) {
      const width = this.#widths[level]!;
      const value = point[this.#order[level]!];
      if (value === undefined || !(value >= 0 && value < width)) return false;
      node = this.#children[level]![node * width + value] ?? DEAD;
      if (node === DEAD) return false;
    }
    return true;
  }

  /** The point of a rank, counted from 0. */
  pointAt(rank: number): number[] {
    const point = new Array<number>(this.#order.length).fill(0);
    let node = 0;
    let left = rank;
    for (let level = 0; level < this.#order.length; level++) {
      const width = this.#widths[level]!;
      const children = this.#children[level]!;
      const counts = this.#counts[level + 1]!;
      let chosen = DEAD;
      for (let value = 0; value < width; value++) {
        const child = children[node * width + value]!;
        if (child === DEAD) continue;
        chosen = value;
        const below = counts[child]!;
        // Beyond 2^53 counts are rounded: the last living edge takes what is left over.
        if (left < below) break;
        left -= below;
      }
      point[this.#order[level]!] = chosen;
      node = children[node * width + chosen]!;
    }
    return point;
  }

  /** Values of the next parameter that lead on, of a beginning that the caller walks level by level. */
  edgesOf(
    level: number,
    node: number,
  ): { readonly value: number; readonly child: number; readonly count: number }[] {
    const width = this.#widths[level]!;
    const edges: { value: number; child: number; count: number }[] = [];
    for (let value = 0; value < width; value++) {
      const child = this.#children[level]![node * width + value]!;
      if (child !== DEAD) edges.push({ value, child, count: this.#counts[level + 1]![child]! });
    }
    return edges;
  }
}

/** Paths to the end from each node, level by level; edges that lead nowhere are cut. */
function countPaths(children: readonly Int32Array[], widths: readonly number[]): Float64Array[] {
  const counts: Float64Array[] = [new Float64Array([1])];
  for (let level = children.length - 1; level >= 0; level--) {
    const below = counts[0]!;
    const edges = children[level]!;
    const width = widths[level]!;
    const here = new Float64Array(edges.length / width);
    for (let edge = 0; edge < edges.length; edge++) {
      const child = edges[edge]!;
      if (child === DEAD) continue;
      const count = below[child]!;
      if (count === 0) edges[edge] = DEAD;
      else here[Math.floor(edge / width)]! += count;
    }
    counts.unshift(here);
  }
  return counts;
}

/** Nodes of one level: for each, the state of every automaton that has begun and not ended. */
interface Level {
  readonly active: readonly number[];
  readonly size: number;
  /** By `node * active.length + position`. */
  readonly states: Int32Array;
}

class Builder {
  readonly #options: DiagramOptions;
  readonly #maxEdges: number;
  readonly #open = new Set<number>();
  /** For each automaton, where in its scope each parameter stands. */
  readonly #places: readonly ReadonlyMap<number, number>[];

  constructor(options: DiagramOptions) {
    this.#options = options;
    this.#maxEdges = options.maxEdges ?? MAX_EDGES;
    this.#places = options.automata.map(
      ({ scope }) => new Map(scope.map((parameter, place) => [parameter, place])),
    );
  }

  build(): { children: Int32Array[]; open: ReadonlySet<number> } {
    const { order, widths } = this.#options;
    const children: Int32Array[] = [];
    let level: Level = { active: [], size: 1, states: new Int32Array(0) };
    let edgesLeft = this.#maxEdges;
    let widthsLeft = order.reduce((sum, parameter) => sum + widths[parameter]!, 0);
    for (const parameter of order) {
      const width = widths[parameter]!;
      edgesLeft -= level.size * width;
      widthsLeft -= width;
      const least = Math.min(MIN_LEVEL_NODES, this.#maxEdges);
      const most = Math.max(least, Math.floor(edgesLeft / Math.max(1, widthsLeft)));
      const { next, edges } = this.#step(level, parameter, most);
      children.push(edges);
      level = next;
    }
    return { children, open: this.#open };
  }

  /** Reads one parameter. A level with more nodes than `most` is tried again with a condition less. */
  #step(level: Level, parameter: number, most: number): { next: Level; edges: Int32Array } {
    for (;;) {
      const found = this.#tryStep(level, parameter, most);
      if ('next' in found) return found;
      this.#open.add(found.widest);
    }
  }

  #tryStep(
    level: Level,
    parameter: number,
    most: number,
  ): { next: Level; edges: Int32Array } | { widest: number } {
    const { automata, widths } = this.#options;
    const width = widths[parameter]!;
    const reading = automata.flatMap((automaton, index) => {
      const place = this.#places[index]!.get(parameter);
      if (place === undefined || this.#open.has(index)) return [];
      return [{ index, from: level.active.indexOf(index), table: automaton.transitions[place]! }];
    });
    const ends = new Set(
      reading.flatMap(({ index }) => (automata[index]!.scope.at(-1) === parameter ? [index] : [])),
    );
    const begun = reading.flatMap(({ index, from }) => (from === -1 && !ends.has(index) ? [index] : []));
    const active = [...level.active.filter((index) => !ends.has(index) && !this.#open.has(index)), ...begun];
    const sources = active.map((index) => ({
      from: level.active.indexOf(index),
      read: reading.findIndex((one) => one.index === index),
    }));
    const interner = new TupleInterner(active.map((index) => this.#statesAfter(index, parameter)));
    const edges = new Int32Array(level.size * width).fill(DEAD);
    const readStates = new Int32Array(reading.length);
    const stride = level.active.length;
    for (let node = 0; node < level.size; node++) {
      values: for (let value = 0; value < width; value++) {
        for (let read = 0; read < reading.length; read++) {
          const { from, table } = reading[read]!;
          const state = from === -1 ? 0 : level.states[node * stride + from]!;
          const after = table[state * width + value]!;
          if (after === DEAD) continue values;
          readStates[read] = after;
        }
        for (let position = 0; position < sources.length; position++) {
          const { from, read } = sources[position]!;
          interner.tuple[position] = read === -1 ? level.states[node * stride + from]! : readStates[read]!;
        }
        edges[node * width + value] = interner.intern();
      }
      if (interner.size > most && active.length > 0) {
        return { widest: active[interner.widestPosition()]! };
      }
    }
    return { next: { active, size: interner.size, states: interner.states() }, edges };
  }

  /** How many states an automaton has once a parameter has been read. */
  #statesAfter(index: number, parameter: number): number {
    const { automata, order } = this.#options;
    const { scope, stateCounts } = automata[index]!;
    const position = order.indexOf(parameter);
    const unread = scope.findIndex((name) => order.indexOf(name) > position);
    return stateCounts[unread] ?? 1;
  }
}

/** Numbers tuples of states in the order in which they are first seen. */
class TupleInterner {
  readonly tuple: Int32Array;
  readonly #radixes: readonly number[];
  /** Tuples as one number each, where that is exact, else as text. */
  readonly #isNumeric: boolean;
  readonly #ids = new Map<number | string, number>();
  #states: Int32Array;

  constructor(stateCounts: readonly number[]) {
    this.tuple = new Int32Array(stateCounts.length);
    this.#radixes = stateCounts;
    this.#isNumeric = stateCounts.reduce((product, count) => product * count, 1) <= Number.MAX_SAFE_INTEGER;
    this.#states = new Int32Array(Math.max(16, stateCounts.length * 64));
  }

  get size(): number {
    return this.#ids.size;
  }

  intern(): number {
    const key = this.#key();
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const id = this.#ids.size;
    this.#ids.set(key, id);
    const end = (id + 1) * this.tuple.length;
    if (end > this.#states.length) {
      const grown = new Int32Array(Math.max(end, this.#states.length * 2));
      grown.set(this.#states);
      this.#states = grown;
    }
    this.#states.set(this.tuple, end - this.tuple.length);
    return id;
  }

  states(): Int32Array {
    return this.#states.subarray(0, this.size * this.tuple.length);
  }

  /** The position in which tuples differ most. */
  widestPosition(): number {
    const seen = this.#radixes.map(() => new Set<number>());
    for (const [index, state] of this.states().entries()) seen[index % this.tuple.length]!.add(state);
    const sizes = seen.map(({ size }) => size);
    return sizes.indexOf(Math.max(...sizes));
  }

  #key(): number | string {
    if (!this.#isNumeric) return this.tuple.join(',');
    let key = 0;
    for (let position = 0; position < this.tuple.length; position++) {
      key = key * this.#radixes[position]! + this.tuple[position]!;
    }
    return key;
  }
}
