import { Cholesky } from '../../../stats/cholesky.ts';
import { LEAST_VARIANCE } from './fit-kernel.ts';
import type { Kernel } from './kernel.ts';

/** A Gaussian process with one kernel over a growing list of points. */
export class Process {
  readonly kernel: Kernel;
  readonly cholesky: Cholesky;
  readonly #points: Uint16Array[] = [];

  /** @param capacity points that it is likely to have; it may have more */
  constructor(kernel: Kernel, capacity: number) {
    this.kernel = kernel;
    this.cholesky = new Cholesky(capacity);
  }

  get points(): readonly Uint16Array[] {
    return this.#points;
  }

  /** Keeps the first `count` points: those behind them were under way, and are told of or still are. */
  truncate(count: number): void {
    this.#points.length = Math.min(this.#points.length, count);
    this.cholesky.truncate(count);
  }

  add(point: Uint16Array): void {
    const row = new Float64Array(this.#points.length + 1);
    for (const [i, other] of this.#points.entries()) {
      row[i] = this.kernel.productOf(point, other) + this.kernel.sumOf(point, other);
    }
    row[row.length - 1] = this.kernel.variance + this.kernel.noise;
    this.cholesky.append(row, LEAST_VARIANCE);
    this.#points.push(point);
  }

  /**
   * What a covariance with each of the first points counts for in a posterior mean, given the targets of those points.
   * Points without a target are believed to come out as predicted: they change no mean, only variances (Ginsbourger, Le
   * Riche & Carraro, "Kriging is well-suited to parallelize optimization", 2010).
   */
  weights(targets: Float64Array): Float64Array {
    const weights = new Float64Array(targets.length);
    this.cholesky.forward(targets, weights);
    this.cholesky.backward(weights);
    return weights;
  }
}
