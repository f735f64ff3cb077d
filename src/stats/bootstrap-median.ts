import { MedianDistribution } from './median-distribution.ts';
import { sorted } from './order.ts';
import { quantileInPlace, quantileOfSorted } from './quantile.ts';
import { Xoshiro128 } from './random.ts';
import { ResampleMedian } from './resample-median.ts';

export interface BootstrapOptions {
  readonly resamples?: number;
  readonly seed?: number | bigint;
  /** Coverage that the interval aims at, as a fraction. */
  readonly confidence?: number;
}

/** A median with its interval, in the samples' unit. */
export interface MedianInterval {
  readonly low: number;
  readonly high: number;
  readonly median: number;
}

/** What intervals of samples are: 95 % from 10,000 resamples, seed 42. */
export const BOOTSTRAP_DEFAULTS = { resamples: 10_000, seed: 42, confidence: 0.95 } as const;

export interface BootstrapMedianOptions extends BootstrapOptions {
  /**
   * `exact` reads the interval off the resampled median's distribution, as infinitely many resamples would, and has
   * no use for `resamples` and `seed`; `sampled` draws them. Exact unless there are more than 20,000 samples.
   */
  readonly method?: 'exact' | 'sampled';
}

/** Above this many samples drawing 10,000 medians is the cheaper way, and Monte Carlo error the least of worries. */
const EXACT_LIMIT = 20_000;

/**
 * The bootstrap interval of the median by the percentile method (Efron, "Bootstrap methods: another look at the
 * jackknife", Annals of Statistics 7(1), 1979; Efron & Tibshirani, "An Introduction to the Bootstrap", 1993,
 * chapter 13). It takes the samples as independent: for those of several processes use
 * `hierarchicalBootstrapMedian`.
 */
export function bootstrapMedian(
  samples: ArrayLike<number>,
  options: BootstrapMedianOptions = {},
): MedianInterval {
  const ascending = sorted(samples);
  const { resamples, seed, confidence } = checkedOptions(options);
  const median = quantileOfSorted(ascending, 0.5);
  const method = options.method ?? (ascending.length <= EXACT_LIMIT ? 'exact' : 'sampled');
  if (method === 'exact') {
    if (ascending.length > EXACT_LIMIT) {
      throw new RangeError(`the exact bootstrap takes up to ${EXACT_LIMIT} samples, not ${ascending.length}`);
    }
    const distribution = new MedianDistribution(ascending);
    const tail = (1 - confidence) / 2;
    return { low: distribution.quantile(tail), high: distribution.quantile(1 - tail), median };
  }
  const random = new Xoshiro128(seed);
  const resample = new ResampleMedian(ascending.length);
  const medians = new Float64Array(resamples);
  for (let i = 0; i < resamples; i++) medians[i] = resample.draw(ascending, random);
  return { ...percentileInterval(medians, confidence), median };
}

/** The central interval that holds `confidence` of the resampled values. Reorders its argument. */
export function percentileInterval(scratch: Float64Array, confidence: number): { low: number; high: number } {
  const tail = (1 - confidence) / 2;
  return { low: quantileInPlace(scratch, tail), high: quantileInPlace(scratch, 1 - tail) };
}

export function checkedOptions(options: BootstrapOptions): Required<BootstrapOptions> {
  const all = { ...BOOTSTRAP_DEFAULTS, ...options };
  if (!Number.isSafeInteger(all.resamples) || all.resamples < 1) {
    throw new RangeError(`resamples is a whole number of at least 1, not ${all.resamples}`);
  }
  if (!(all.confidence > 0 && all.confidence < 1)) {
    throw new RangeError(`confidence lies between 0 and 1, not at ${all.confidence}`);
  }
  return all;
}
