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

/** What S3 asks for: 95 % from 10,000 resamples, seed 42. */
export const BOOTSTRAP_DEFAULTS = { resamples: 10_000, seed: 42, confidence: 0.95 } as const;

/**
 * The bootstrap interval of the median by the percentile method (Efron, «Bootstrap methods: another look at the
 * jackknife», Annals of Statistics 7(1), 1979; Efron & Tibshirani, «An Introduction to the Bootstrap», 1993,
 * chapter 13). It takes the samples as independent: for those of several processes use
 * `hierarchicalBootstrapMedian`.
 */
export function bootstrapMedian(samples: ArrayLike<number>, options: BootstrapOptions = {}): MedianInterval {
  const ascending = sorted(samples);
  const { resamples, seed, confidence } = checkedOptions(options);
  const random = new Xoshiro128(seed);
  const resample = new ResampleMedian(ascending.length);
  const medians = new Float64Array(resamples);
  for (let i = 0; i < resamples; i++) medians[i] = resample.draw(ascending, random);
  return { ...percentileInterval(medians, confidence), median: quantileOfSorted(ascending, 0.5) };
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
