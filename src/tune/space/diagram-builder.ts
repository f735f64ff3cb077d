import { type Automaton, DEAD } from './automaton.ts';
import { TupleInterner } from './tuple-interner.ts';

/** Edges of a diagram at most: some 40 MB and a few seconds. */
const MAX_EDGES = 2 ** 23;
/** A level may have this many nodes, however many there were before. */
const MIN_LEVEL_NODES = 1024;
/** Values that fit into the bits of a positive 32-bit integer. */
const MAX_BITS = 30;

export interface DiagramOptions {
  /** How many values each parameter has. */
  readonly widths: readonly number[];
  /** In which order parameters are bound. */
  readonly order: readonly number[];
  readonly automata: readonly Automaton[];
  readonly maxEdges?: number;
}

/**
 * What a node of a level knows, as a tuple. For a condition with two parameters or more still to read: its state. For a
 * parameter that conditions wait for as their last: the values that all of these allow, as bits. Joining them there
 * makes one node of beginnings that differ in each condition but not in what they forbid, and cuts a beginning as soon
 * as a later parameter has no value left.
 */
interface Level {
  readonly states: readonly number[];
  readonly masked: readonly number[];
  readonly size: number;
  /** By node: first the states, then the masks. */
  readonly tuples: Int32Array;
}

/** An automaton that reads the parameter of a step. */
interface Reader {
  readonly index: number;
  /** Where its state stands in the tuples before; -1: it begins here. */
  readonly from: number;
  readonly table: Int32Array;
}

type Step = { readonly next: Level; readonly edges: Int32Array } | { readonly widest: number };

export class DiagramBuilder {
  readonly #options: DiagramOptions;
  readonly #maxEdges: number;
  readonly #open = new Set<number>();
  /** For each automaton and state before its last parameter: the values that it allows there. */
  readonly #masks: readonly (Int32Array | undefined)[];

  constructor(options: DiagramOptions) {
    this.#options = options;
    this.#maxEdges = options.maxEdges ?? MAX_EDGES;
    this.#masks = options.automata.map((automaton) => lastMasks(automaton, options.widths));
  }

  build(): { children: Int32Array[]; open: ReadonlySet<number> } {
    const { order, widths } = this.#options;
    const children: Int32Array[] = [];
    let level: Level = { states: [], masked: [], size: 1, tuples: new Int32Array(0) };
    let edgesLeft = this.#maxEdges;
    let widthsLeft = order.reduce((sum, parameter) => sum + widths[parameter]!, 0);
    const least = Math.min(MIN_LEVEL_NODES, this.#maxEdges);
    for (const parameter of order) {
      const width = widths[parameter]!;
      edgesLeft -= level.size * width;
      widthsLeft -= width;
      const most = Math.max(least, Math.floor(edgesLeft / Math.max(1, widthsLeft)));
      const { next, edges } = this.#step(level, parameter, most);
      children.push(edges);
      level = next;
    }
    return { children, open: this.#open };
  }

  /** Reads one parameter. Where more than `most` nodes come of it, it is read again with something forgotten. */
  #step(level: Level, parameter: number, most: number): Exclude<Step, { widest: number }> {
    const forgotten = new Set<number>();
    for (;;) {
      const { states, masked } = this.#contents(level, parameter, forgotten);
      const step = this.#tryStep(level, parameter, most, states, masked);
      if ('next' in step) return step;
      const state = states[step.widest];
      if (state !== undefined) this.#open.add(state);
      else {
        const waitedFor = masked[step.widest - states.length]!;
        forgotten.add(waitedFor);
        for (const index of this.#waitingFor(waitedFor, parameter)) this.#open.add(index);
      }
    }
  }

  /** What tuples hold once a parameter has been read. */
  #contents(
    level: Level,
    parameter: number,
    forgotten: ReadonlySet<number>,
  ): { states: number[]; masked: number[] } {
    const { automata } = this.#options;
    const begun = [
      ...level.states,
      ...automata.flatMap(({ scope }, index) => (scope[0] === parameter ? [index] : [])),
    ].filter((index) => !this.#open.has(index));
    const states = begun.filter(
      (index) => !this.#isMasked(index, parameter) && this.#unread(index, parameter) > 0,
    );
    const masked = [
      ...level.masked,
      ...begun.flatMap((index) => (this.#isMasked(index, parameter) ? [this.#last(index)] : [])),
    ];
    return {
      states,
      masked: [...new Set(masked)].filter(
        (waitedFor) => waitedFor !== parameter && !forgotten.has(waitedFor),
      ),
    };
  }

  #tryStep(
    level: Level,
    parameter: number,
    most: number,
    states: readonly number[],
    masked: readonly number[],
  ): Step {
    const width = this.#options.widths[parameter]!;
    const stride = level.states.length + level.masked.length;
    const readers = this.#readers(level, parameter);
    const allowedAt = maskPlace(level, parameter);
    const stateSources = states.map((index) => ({
      from: level.states.indexOf(index),
      read: readers.findIndex((reader) => reader.index === index),
    }));
    const maskSources = masked.map((waitedFor) => ({
      from: maskPlace(level, waitedFor),
      joining: readers.flatMap(({ index }, read) =>
        this.#last(index) === waitedFor && this.#isMasked(index, parameter)
          ? [{ read, masks: this.#masks[index]! }]
          : [],
      ),
      all: 2 ** this.#options.widths[waitedFor]! - 1,
    }));
    const interner = new TupleInterner(states.length + masked.length);
    const edges = new Int32Array(level.size * width).fill(DEAD);
    const readStates = new Int32Array(readers.length);
    for (let node = 0; node < level.size; node++) {
      const start = node * stride;
      const allowed = allowedAt === -1 ? -1 : level.tuples[start + allowedAt]!;
      values: for (let value = 0; value < width; value++) {
        if (allowedAt !== -1 && (allowed & (1 << value)) === 0) continue;
        for (let read = 0; read < readers.length; read++) {
          const { from, table } = readers[read]!;
          const after = table[(from === -1 ? 0 : level.tuples[start + from]!) * width + value]!;
          if (after === DEAD) continue values;
          readStates[read] = after;
        }
        let position = 0;
        for (const { from, read } of stateSources) {
          interner.tuple[position++] = read === -1 ? level.tuples[start + from]! : readStates[read]!;
        }
        for (const { from, joining, all } of maskSources) {
          let mask = from === -1 ? all : level.tuples[start + from]!;
          for (const { read, masks } of joining) mask &= masks[readStates[read]!]!;
          if (mask === 0) continue values;
          interner.tuple[position++] = mask;
        }
        edges[node * width + value] = interner.intern();
      }
      if (interner.size > most && interner.tuple.length > 0) return { widest: interner.widestPosition() };
    }
    return { next: { states, masked, size: interner.size, tuples: interner.tuples() }, edges };
  }

  /** Automata that read a parameter by their state; those that only wait for it are in its mask. */
  #readers(level: Level, parameter: number): Reader[] {
    return this.#options.automata.flatMap(({ scope, transitions }, index) => {
      const place = scope.indexOf(parameter);
      const from = level.states.indexOf(index);
      if (place === -1 || this.#open.has(index) || (from === -1 && place > 0)) return [];
      return [{ index, from, table: transitions[place]! }];
    });
  }

  #last(index: number): number {
    return this.#options.automata[index]!.scope.at(-1)!;
  }

  /** How many parameters an automaton has still to read after this one. */
  #unread(index: number, parameter: number): number {
    const { automata, order } = this.#options;
    const position = order.indexOf(parameter);
    return automata[index]!.scope.filter((name) => order.indexOf(name) > position).length;
  }

  #isMasked(index: number, parameter: number): boolean {
    return this.#masks[index] !== undefined && this.#unread(index, parameter) === 1;
  }

  #waitingFor(waitedFor: number, parameter: number): number[] {
    return this.#options.automata.flatMap((_, index) =>
      this.#last(index) === waitedFor && this.#isMasked(index, parameter) ? [index] : [],
    );
  }
}

function maskPlace(level: Level, parameter: number): number {
  const place = level.masked.indexOf(parameter);
  return place === -1 ? -1 : level.states.length + place;
}

/** Undefined where the last parameter has too many values for bits, or is the only one. */
function lastMasks({ scope, transitions }: Automaton, widths: readonly number[]): Int32Array | undefined {
  const width = widths[scope.at(-1) ?? -1] ?? Infinity;
  if (scope.length < 2 || width > MAX_BITS) return undefined;
  const table = transitions.at(-1)!;
  const masks = new Int32Array(table.length / width);
  for (const [edge, state] of table.entries()) {
    if (state !== DEAD) masks[Math.floor(edge / width)]! |= 1 << (edge % width);
  }
  return masks;
}
