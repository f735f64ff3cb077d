import type { Contenders } from './candidates.ts';
import { CHUNK, ChunkScratch, Covariances } from './covariances.ts';
import { LEAST_SHARE } from './surrogate.ts';
import type { Process } from './process.ts';

/**
 * A look at all candidates by which some are shortlisted: what a process predicts of each, as of when it began. It takes
 * several asks and keeps no covariances.
 */
export class Survey {
  readonly #process: Process;
  readonly #weights: Float64Array;
  readonly #contenders: Contenders;
  readonly #count: number;
  readonly #means: Float64Array;
  /** For each candidate, its greatest covariance with a point. */
  readonly #greatest: Float64Array;
  readonly #scratch = new ChunkScratch();
  #seen = 0;

  constructor(process: Process, targets: Float64Array, contenders: Contenders) {
    this.#process = process;
    this.#weights = process.weights(targets);
    this.#contenders = contenders;
    this.#count = contenders.count;
    this.#means = new Float64Array(this.#count);
    this.#greatest = new Float64Array(this.#count);
  }

  /** Candidates that it looks at: those that there were when it began. */
  get count(): number {
    return this.#count;
  }

  get isDone(): boolean {
    return this.#seen === this.#weights.length;
  }

  /** Goes on with about so many covariances. */
  look(budget: number): void {
    const { kernel, points } = this.#process;
    let left = budget;
    for (; this.#seen < this.#weights.length && left > 0; this.#seen++) {
      const covariances = new Covariances(kernel, points[this.#seen]!, this.#contenders.groups);
      for (let from = 0; from < this.#count; from += CHUNK) {
        const to = Math.min(from + CHUNK, this.#count);
        covariances.write(from, to, this.#scratch);
        take(this.#means, this.#greatest, this.#scratch.products, this.#weights[this.#seen]!, from, to);
      }
      left -= this.#count;
    }
  }

  mean(candidate: number): number {
    return this.#means[candidate]!;
  }

  /** No posterior deviation is greater: what the nearest point alone leaves of the prior. */
  deviationBound(candidate: number): number {
    const { variance, noise } = this.#process.kernel;
    const rest = variance - this.#greatest[candidate]! ** 2 / (variance + noise);
    return Math.sqrt(Math.max(rest, LEAST_SHARE * variance));
  }
}

function take(
  means: Float64Array,
  greatest: Float64Array,
  covariances: Float64Array,
  weight: number,
  from: number,
  to: number,
): void {
  for (let k = from; k < to; k++) {
    const covariance = covariances[k - from]!;
    means[k]! += weight * covariance;
    if (covariance > greatest[k]!) greatest[k] = covariance;
  }
}
