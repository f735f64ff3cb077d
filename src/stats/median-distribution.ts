import { bisect } from './bisect.ts';
import { stirlingError } from './log-gamma.ts';
import { lowerMiddleRanks } from './resample-median.ts';

/**
 * The distribution of the median of a bootstrap resample, in closed form.
 *
 * Odd n: the median is the value at one rank, and P(rank ≤ k) is a binomial tail (Efron, "Bootstrap methods",
 * Annals of Statistics 7(1), 1979). Even n = 2m: it is the mean of the values at two ranks, and the upper rank
 * exceeds j while the lower is i ≤ j exactly when m draws lie at or below i, one of them at i, and none in (i, j]:
 *
 *     P(lower = i, upper > j) = C(n, m) · [iᵐ − (i − 1)ᵐ] · (n − j)ᵐ / nⁿ
 *
 * which is a factor of i times a factor of j, so that P(median ≤ v) takes one walk over the ranks.
 */
export class MedianDistribution {
  /** The values at the ranks that matter: the others come up less than once in 10¹¹ resamples. */
  readonly #values: Float64Array;
  /** P(lower rank), by place in `#values`. */
  readonly #masses: Float64Array;
  /** Even n: the factor of i, with C(n, m)/2ⁿ in it. */
  readonly #lowerFactors: Float64Array;
  /** Even n: the factor of j, which is 0 for the last. */
  readonly #upperFactors: Float64Array;

  constructor(ascending: Float64Array) {
    const count = ascending.length;
    const { first, masses } = lowerMiddleRanks(count);
    const size = masses.length;
    let total = 0;
    for (const mass of masses) total += mass;
    this.#values = ascending.subarray(first - 1, first - 1 + size);
    this.#masses = masses.map((mass) => mass / total);
    this.#lowerFactors = new Float64Array(size);
    this.#upperFactors = new Float64Array(size);
    if (count % 2 === 1) return;

    const half = count / 2;
    // C(n, n/2) / 2ⁿ by Stirling's formula with its error term.
    const scale = Math.sqrt(1 / (Math.PI * half)) * Math.exp(stirlingError(count) - 2 * stirlingError(half));
    for (let place = 0; place < size; place++) {
      const rank = first + place;
      const exactlyHere = -Math.expm1(half * Math.log1p(-1 / rank));
      this.#lowerFactors[place] = scale * exactlyHere * Math.exp(half * Math.log(rank / half));
      this.#upperFactors[place] = Math.exp(half * Math.log((count - rank) / half));
    }
    this.#upperFactors[size - 1] = 0;
  }

  /** P(median of a resample ≤ value). */
  cdf(value: number): number {
    return this.#shareUpTo(2 * value);
  }

  /** The smallest median whose cumulative probability reaches `probability`. */
  quantile(probability: number): number {
    const twiceFirst = 2 * this.#values[0]!;
    if (this.#shareUpTo(twiceFirst) >= probability) return twiceFirst / 2;
    const twiceLast = 2 * this.#values[this.#values.length - 1]!;
    return bisect(twiceFirst, twiceLast, (sum) => this.#shareUpTo(sum) >= probability) / 2;
  }

  /** P(sum of the two middle values ≤ sum). */
  #shareUpTo(sum: number): number {
    const values = this.#values;
    let share = 0;
    let upper = values.length - 1;
    for (let lower = 0; lower < values.length; lower++) {
      const value = values[lower]!;
      if (2 * value > sum) break;
      while (value + values[upper]! > sum) upper--;
      share += this.#masses[lower]! - this.#lowerFactors[lower]! * this.#upperFactors[upper]!;
    }
    return share;
  }
}
