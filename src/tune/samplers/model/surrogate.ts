import type { Contenders } from './candidates.ts';
import { CHUNK, ChunkScratch, Covariances } from './covariances.ts';
import type { Process } from './process.ts';

/** Posterior variances below this share of the prior's are rounding. */
export const LEAST_SHARE = 1e-7;

/**
 * What a process predicts of contenders. Its covariances with them are most of the work: they are kept from ask to ask,
 * and those of a new process can be computed over several asks.
 */
export class Surrogate {
  readonly contenders: Contenders;
  readonly #process: Process;
  /** For each point, its covariance with each contender, up to the number in `#filled`. */
  readonly #covariances: Float32Array[] = [];
  readonly #filled: number[] = [];
  /** For each contender, what the nearest point alone explains of its variance. */
  readonly #explained: Float64Array;
  readonly #scratch: Scratch;

  constructor(process: Process, contenders: Contenders, scratch: Scratch) {
    this.#process = process;
    this.contenders = contenders;
    this.#scratch = scratch;
    this.#explained = new Float64Array(contenders.capacity);
  }

  /** The process keeps its first `count` points only, and may get others. */
  truncate(count: number): void {
    // Rows are written over; what the nearest explains may stay, as a bound that is still nearly true.
    this.#filled.length = Math.min(this.#filled.length, count);
  }

  /**
   * Computes covariances with contenders, at most about `budget` of them.
   *
   * @returns what is left of the budget; nothing where the work is not done
   */
  fill(budget: number): number {
    const { count } = this.contenders;
    let left = budget;
    for (let i = 0; i < this.#process.points.length && left > 0; i++) {
      const from = this.#filled[i] ?? 0;
      if (from === count) continue;
      this.#fillRow(i, from, count);
      this.#filled[i] = count;
      left -= count - from;
    }
    return left;
  }

  #fillRow(point: number, start: number, end: number): void {
    const { kernel, points } = this.#process;
    const row = (this.#covariances[point] ??= this.#scratch.takeRow());
    const { chunk } = this.#scratch;
    const covariances = new Covariances(kernel, points[point]!, this.contenders.groups);
    const perSquare = 1 / (kernel.variance + kernel.noise);
    for (let from = start; from < end; from += CHUNK) {
      const to = Math.min(from + CHUNK, end);
      covariances.write(from, to, chunk);
      keep(row, this.#explained, chunk.products, perSquare, from, to);
    }
  }

  /** The posterior mean of every contender, given the targets of the first points. */
  means(targets: Float64Array): Float64Array {
    const { means } = this.#scratch;
    means.fill(0);
    addWeighted(means, this.#covariances, this.#process.weights(targets), this.contenders.count);
    return means;
  }

  /** Gives back what it holds; it is not used again. */
  release(): void {
    this.#scratch.giveRows(this.#covariances.splice(0));
  }

  /** No posterior deviation is greater: what the nearest point alone leaves of the prior. */
  deviationBound(contender: number): number {
    return this.#deviation(this.#explained[contender]!);
  }

  /** The posterior deviations of up to four contenders. */
  deviations(four: readonly number[]): Float64Array {
    const { cholesky, points } = this.#process;
    const count = points.length;
    const { columns, solutions, sums } = this.#scratch.forFour(count);
    for (let i = 0; i < count; i++) {
      const row = this.#covariances[i]!;
      for (let c = 0; c < 4; c++) columns[4 * i + c] = row[four[c] ?? 0]!;
    }
    cholesky.squaredSolutions(columns, solutions, sums);
    return sums.subarray(0, four.length).map((explained) => this.#deviation(explained));
  }

  #deviation(explained: number): number {
    const { variance } = this.#process.kernel;
    return Math.sqrt(Math.max(variance - explained, LEAST_SHARE * variance));
  }
}

/** Arrays that asks use again and again. */
export class Scratch {
  readonly chunk = new ChunkScratch();
  readonly means: Float64Array;
  readonly #capacity: number;
  readonly #rows: Float32Array[] = [];
  #columns = new Float64Array(0);
  #solutions = new Float64Array(0);
  readonly #sums = new Float64Array(4);

  constructor(capacity: number) {
    this.#capacity = capacity;
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

function keep(
  row: Float32Array,
  explained: Float64Array,
  covariances: Float64Array,
  perSquare: number,
  from: number,
  to: number,
): void {
  for (let k = from; k < to; k++) {
    const covariance = covariances[k - from]!;
    row[k] = covariance;
    const share = covariance * covariance * perSquare;
    if (share > explained[k]!) explained[k] = share;
  }
}

/** Candidates whose sums are worked on together: they stay in the processor's nearest cache while rows stream by. */
const SUMMED = 2048;

function addWeighted(
  sums: Float64Array,
  rows: readonly Float32Array[],
  weights: Float64Array,
  count: number,
): void {
  for (let from = 0; from < count; from += SUMMED) {
    const to = Math.min(from + SUMMED, count);
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
