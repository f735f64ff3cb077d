import { DEAD } from './automaton.ts';
import { DiagramBuilder, type DiagramOptions } from './diagram-builder.ts';
import type { Point } from './space.ts';

/**
 * The points that satisfy every condition, as a decision diagram: a level for each parameter, an edge for each of its
 * values, and one node for all beginnings that have the same continuations as far as the conditions can tell. The
 * product of the parameters is never walked. Counting paths from the end gives the number of points, and with it the
 * point of any rank. (Bergman, Cire, van Hoeve & Hooker, "Decision Diagrams for Optimization", Springer 2016.)
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
    const { children, open } = new DiagramBuilder(options).build();
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
    const point = this.#order.map(() => 0);
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
