import type { Kernel } from './kernel.ts';
import { productTable } from './level-group.ts';
import type { Group } from './level-group.ts';

/** Candidates that are worked on together: what is kept of them stays in the processor's nearest cache. */
export const CHUNK = 1024;

/** Tables of a group, by place. */
interface Tables {
  readonly places: Uint16Array;
  readonly factors: Float64Array;
  readonly terms: Float64Array;
}

/**
 * A point's covariances with any candidate, as tables: a product over groups, and a sum over those with tunables. Two
 * groups with tunables and one of features are most of what there is: they go in one pass over the candidates.
 */
export class Covariances {
  readonly #kernel: Kernel;
  readonly #one: Tables;
  readonly #other: Tables;
  readonly #features: Tables;
  readonly #rest: readonly Tables[];

  constructor(kernel: Kernel, point: Uint16Array, groups: readonly Group[]) {
    this.#kernel = kernel;
    const hasTunables = ({ columns }: Group) => columns.some((column) => column < kernel.encoding.tunables);
    const tablesOf = (group: Group): Tables => ({
      places: group.places,
      factors: productTable(group, (column) => kernel.factorsOf(column, point[column]!)),
      terms: termTable(kernel, group, point),
    });
    const [one, other, ...more] = groups.filter(hasTunables).map(tablesOf);
    const [features, ...others] = groups.filter((group) => !hasTunables(group)).map(tablesOf);
    this.#one = one!;
    this.#other = other ?? neutral(this.#one);
    this.#features = features ?? neutral(this.#one);
    this.#rest = [...more, ...others];
  }

  /** Writes those with candidates `from` to `to`, at most a chunk of them, from the start of `products`. */
  write(from: number, to: number, { products, sums }: ChunkScratch): void {
    const length = to - from;
    const { product, constant } = this.#kernel;
    if (this.#rest.length === 0) {
      addThree(products, product, constant, this.#one, this.#other, this.#features, from, length);
      return;
    }
    products.fill(product, 0, length);
    sums.fill(constant, 0, length);
    for (const tables of this.#rest) takeOne(products, sums, tables, from, length);
    addThreeTo(products, sums, this.#one, this.#other, this.#features, from, length);
  }
}

/** In place of a group that there is not. */
function neutral({ places, factors: { length } }: Tables): Tables {
  return { places, factors: new Float64Array(length).fill(1), terms: new Float64Array(length) };
}

/** Room for a chunk. */
export class ChunkScratch {
  readonly products = new Float64Array(CHUNK);
  readonly sums = new Float64Array(CHUNK);
}

/** The sum of its tunables' additive terms, for each place of a group. */
function termTable(kernel: Kernel, { columns, levels }: Group, point: Uint16Array): Float64Array {
  const table = new Float64Array(levels[0]!.length);
  for (const [member, column] of columns.entries()) {
    if (column >= kernel.encoding.tunables) continue;
    const terms = kernel.termsOf(column, point[column]!);
    const at = levels[member]!;
    for (let place = 0; place < table.length; place++) table[place]! += terms[at[place]!]!;
  }
  return table;
}

function takeOne(
  products: Float64Array,
  sums: Float64Array,
  { places, factors, terms }: Tables,
  from: number,
  length: number,
): void {
  for (let k = 0; k < length; k++) {
    const place = places[from + k]!;
    products[k]! *= factors[place]!;
    sums[k]! += terms[place]!;
  }
}

function addThree(
  covariances: Float64Array,
  product: number,
  constant: number,
  { places: p0, factors: f0, terms: t0 }: Tables,
  { places: p1, factors: f1, terms: t1 }: Tables,
  { places: p2, factors: f2 }: Tables,
  from: number,
  length: number,
): void {
  for (let k = 0; k < length; k++) {
    const a = p0[from + k]!;
    const b = p1[from + k]!;
    covariances[k] = constant + t0[a]! + t1[b]! + product * f0[a]! * f1[b]! * f2[p2[from + k]!]!;
  }
}

/** As above, to what other groups came to. */
function addThreeTo(
  products: Float64Array,
  sums: Float64Array,
  { places: p0, factors: f0, terms: t0 }: Tables,
  { places: p1, factors: f1, terms: t1 }: Tables,
  { places: p2, factors: f2 }: Tables,
  from: number,
  length: number,
): void {
  for (let k = 0; k < length; k++) {
    const a = p0[from + k]!;
    const b = p1[from + k]!;
    products[k] = sums[k]! + t0[a]! + t1[b]! + products[k]! * f0[a]! * f1[b]! * f2[p2[from + k]!]!;
  }
}
