import type { Candidates, Group } from './candidates.ts';
import { Cholesky } from './cholesky.ts';
import { LEAST_VARIANCE } from './fit-kernel.ts';
import type { Kernel } from './kernel.ts';

/** Posterior variances below this share of the prior's are rounding. */
const LEAST_SHARE = 1e-7;

/**
 * A Gaussian process with one kernel over a growing list of points, and its covariances with every candidate. Those are
 * most of the work: they are kept from ask to ask, and a new process can take them in over several asks.
 */
export class Surrogate {
  readonly kernel: Kernel;
  readonly #candidates: Candidates;
  readonly #cholesky: Cholesky;
  readonly #points: Uint16Array[] = [];
  /** For each point, its covariance with each candidate, up to the number in `#filled`. */
  readonly #covariances: Float32Array[] = [];
  readonly #filled: number[] = [];
  /** For each candidate, its greatest covariance with a point. */
  readonly #greatest: Float64Array;
  readonly #scratch: Scratch;
  #alpha = new Float64Array(0);

  constructor(kernel: Kernel, candidates: Candidates, scratch: Scratch, capacity: number) {
    this.kernel = kernel;
    this.#candidates = candidates;
    this.#scratch = scratch;
    this.#cholesky = new Cholesky(capacity);
    this.#greatest = new Float64Array(candidates.capacity);
  }

  get count(): number {
    return this.#points.length;
  }

  /** Keeps the first `count` points: those behind them were under way, and are told of or still are. */
  truncate(count: number): void {
    if (count >= this.#points.length) return;
    this.#points.length = count;
    this.#cholesky.truncate(count);
    // Their rows are written over; the greatest covariances may stay, as bounds that are still nearly true.
    this.#filled.fill(0, count);
  }

  add(point: Uint16Array): void {
    const row = new Float64Array(this.#points.length + 1);
    for (const [i, other] of this.#points.entries()) {
      row[i] = this.kernel.productOf(point, other) + this.kernel.sumOf(point, other);
    }
    row[row.length - 1] = this.kernel.variance + this.kernel.noise;
    this.#cholesky.append(row, LEAST_VARIANCE);
    this.#points.push(point);
    this.#filled[this.#points.length - 1] = 0;
  }

  /**
   * Computes covariances with candidates, at most about `budget` of them.
   *
   * @returns what is left of the budget; nothing where the work is not done
   */
  fill(budget: number): number {
    const { count } = this.#candidates;
    let left = budget;
    for (let i = 0; i < this.#points.length && left > 0; i++) {
      const from = this.#filled[i]!;
      if (from === count) continue;
      this.#covariances[i] ??= this.#scratch.takeRow();
      fillRow(
        this.kernel,
        this.#points[i]!,
        this.#candidates.groups,
        this.#covariances[i]!,
        this.#scratch,
        from,
        count,
      );
      raise(this.#greatest, this.#covariances[i]!, from, count);
      this.#filled[i] = count;
      left -= count - from;
    }
    return left;
  }

  /**
   * The posterior mean of every candidate, given the targets of the first points. Points without a target are believed
   * to come out as predicted: they change no mean, only variances (Ginsbourger, Le Riche & Carraro, «Kriging is
   * well-suited to parallelize optimization», 2010).
   */
  means(targets: Float64Array): Float64Array {
    this.#alpha = new Float64Array(targets.length);
    this.#cholesky.forward(targets, this.#alpha);
    this.#cholesky.backward(this.#alpha);
    const means = this.#scratch.means;
    means.fill(0);
    addWeighted(means, this.#covariances, this.#alpha, this.#candidates.count);
    return means;
  }

  /** Gives back what it holds; it is not used again. */
  release(): void {
    this.#scratch.giveRows(this.#covariances.splice(0));
  }

  /** No posterior deviation is greater: what the nearest point alone leaves of the prior. */
  deviationBound(candidate: number): number {
    const { variance, noise } = this.kernel;
    const rest = variance - this.#greatest[candidate]! ** 2 / (variance + noise);
    return Math.sqrt(Math.max(rest, LEAST_SHARE * variance));
  }

  /** The posterior deviations of up to four candidates. */
  deviations(four: readonly number[]): Float64Array {
    const count = this.#points.length;
    const { columns, solutions, sums } = this.#scratch.forFour(count);
    for (let i = 0; i < count; i++) {
      const row = this.#covariances[i]!;
      for (let c = 0; c < 4; c++) columns[4 * i + c] = row[four[c] ?? 0]!;
    }
    this.#cholesky.squaredSolutions(columns, solutions, sums);
    const { variance } = this.kernel;
    return sums
      .subarray(0, four.length)
      .map((explained) => Math.sqrt(Math.max(variance - explained, LEAST_SHARE * variance)));
  }
}

/** Arrays that asks use again and again. */
export class Scratch {
  readonly products: Float64Array;
  readonly sums: Float64Array;
  readonly means: Float64Array;
  readonly #capacity: number;
  readonly #rows: Float32Array[] = [];
  #columns = new Float64Array(0);
  #solutions = new Float64Array(0);
  readonly #sums = new Float64Array(4);

  constructor(capacity: number) {
    this.#capacity = capacity;
    this.products = new Float64Array(capacity);
    this.sums = new Float64Array(capacity);
    this.means = new Float64Array(capacity);
  }

  /** A row with an entry for each candidate, of whatever was in it. */
  takeRow(): Float32Array {
    return this.#rows.pop() ?? new Float32Array(this.#capacity);
  }

  giveRows(rows: readonly Float32Array[]): void {
    this.#rows.push(...rows);
  }

  /** Room for solving for four candidates at once. */
  forFour(count: number): Readonly<Record<'columns' | 'solutions' | 'sums', Float64Array>> {
    if (this.#columns.length < 4 * count) {
      this.#columns = new Float64Array(8 * count);
      this.#solutions = new Float64Array(8 * count);
    }
    return { columns: this.#columns, solutions: this.#solutions, sums: this.#sums };
  }
}

function fillRow(
  kernel: Kernel,
  point: Uint16Array,
  groups: readonly Group[],
  row: Float32Array,
  { products, sums }: Scratch,
  from: number,
  to: number,
): void {
  const isTunable = ({ columns }: Group) => columns[0]! < kernel.encoding.tunables;
  products.fill(kernel.product, from, to);
  sums.fill(kernel.constant, from, to);
  for (const group of groups.filter(isTunable)) {
    const factors = groupFactors(kernel, group, point);
    multiplyAndAdd(products, sums, group.places, factors, groupTerms(kernel, group, point), from, to);
  }
  // Two at a time: each pass reads and writes all products.
  const features = groups.filter((group) => !isTunable(group));
  for (let g = 0; g < features.length; g += 2) {
    const one = features[g]!;
    const other = features[g + 1];
    const factors = groupFactors(kernel, one, point);
    if (other === undefined) multiply(products, one.places, factors, from, to);
    else {
      multiplyTwo(products, one.places, factors, other.places, groupFactors(kernel, other, point), from, to);
    }
  }
  for (let k = from; k < to; k++) row[k] = products[k]! + sums[k]!;
}

/** The product of a group's factors, for each place of the group. */
function groupFactors(kernel: Kernel, { columns }: Group, point: Uint16Array): Float64Array {
  let table = Float64Array.of(1);
  for (const column of columns) {
    const factors = kernel.factorsOf(column, point[column]!);
    const wider = new Float64Array(table.length * factors.length);
    for (let place = 0, at = 0; place < table.length; place++) {
      for (let level = 0; level < factors.length; level++) wider[at++] = table[place]! * factors[level]!;
    }
    table = wider;
  }
  return table;
}

/** The sum of a group's additive terms, for each place of the group. */
function groupTerms(kernel: Kernel, { columns }: Group, point: Uint16Array): Float64Array {
  let table = Float64Array.of(0);
  for (const column of columns) {
    const { length } = kernel.encoding.columns[column]!.positions;
    const wider = new Float64Array(table.length * length);
    for (let level = 0; level < length; level++) {
      const term = kernel.additives[column]! * kernel.additiveLikeness(column, level, point[column]!);
      for (let place = 0; place < table.length; place++) wider[place * length + level] = table[place]! + term;
    }
    table = wider;
  }
  return table;
}

function multiply(
  products: Float64Array,
  places: Uint16Array,
  factors: Float64Array,
  from: number,
  to: number,
): void {
  for (let k = from; k < to; k++) products[k]! *= factors[places[k]!]!;
}

function multiplyTwo(
  products: Float64Array,
  places: Uint16Array,
  factors: Float64Array,
  otherPlaces: Uint16Array,
  otherFactors: Float64Array,
  from: number,
  to: number,
): void {
  for (let k = from; k < to; k++) products[k]! *= factors[places[k]!]! * otherFactors[otherPlaces[k]!]!;
}

function multiplyAndAdd(
  products: Float64Array,
  sums: Float64Array,
  places: Uint16Array,
  factors: Float64Array,
  terms: Float64Array,
  from: number,
  to: number,
): void {
  for (let k = from; k < to; k++) {
    const place = places[k]!;
    products[k]! *= factors[place]!;
    sums[k]! += terms[place]!;
  }
}

function raise(greatest: Float64Array, row: Float32Array, from: number, to: number): void {
  for (let k = from; k < to; k++) if (row[k]! > greatest[k]!) greatest[k] = row[k]!;
}

/** Candidates whose sums are worked on together: they stay in the processor's nearest cache while rows stream by. */
const CHUNK = 2048;

function addWeighted(
  sums: Float64Array,
  rows: readonly Float32Array[],
  weights: Float64Array,
  count: number,
): void {
  for (let from = 0; from < count; from += CHUNK) {
    const to = Math.min(from + CHUNK, count);
    let i = 0;
    for (; i + 7 < weights.length; i += 8) addEight(sums, rows, weights, i, from, to);
    for (; i < weights.length; i++) addOne(sums, rows[i]!, weights[i]!, from, to);
  }
}

function addOne(sums: Float64Array, row: Float32Array, weight: number, from: number, to: number): void {
  for (let k = from; k < to; k++) sums[k]! += weight * row[k]!;
}

/** Eight rows at once: fewer sums are read and written. */
function addEight(
  sums: Float64Array,
  rows: readonly Float32Array[],
  weights: Float64Array,
  first: number,
  from: number,
  to: number,
): void {
  const r0 = rows[first]!;
  const r1 = rows[first + 1]!;
  const r2 = rows[first + 2]!;
  const r3 = rows[first + 3]!;
  const r4 = rows[first + 4]!;
  const r5 = rows[first + 5]!;
  const r6 = rows[first + 6]!;
  const r7 = rows[first + 7]!;
  const w0 = weights[first]!;
  const w1 = weights[first + 1]!;
  const w2 = weights[first + 2]!;
  const w3 = weights[first + 3]!;
  const w4 = weights[first + 4]!;
  const w5 = weights[first + 5]!;
  const w6 = weights[first + 6]!;
  const w7 = weights[first + 7]!;
  for (let k = from; k < to; k++) {
    sums[k]! +=
      w0 * r0[k]! +
      w1 * r1[k]! +
      w2 * r2[k]! +
      w3 * r3[k]! +
      (w4 * r4[k]! + w5 * r5[k]! + w6 * r6[k]! + w7 * r7[k]!);
  }
}
