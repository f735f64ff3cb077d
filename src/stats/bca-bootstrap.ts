import type { BootstrapOptions } from './bootstrap-median.ts';
import { checkedOptions } from './bootstrap-median.ts';
import { normalCdf, normalQuantile } from './normal.ts';
import { finiteCopy } from './order.ts';
import { quantileOfSorted } from './quantile.ts';
import { nextBelow, Xoshiro128 } from './random.ts';

export interface BcaInterval {
  readonly low: number;
  readonly high: number;
  readonly estimate: number;
  /** z₀: how far the estimate is off the middle of its bootstrap distribution, in normal units. */
  readonly bias: number;
  /** a: how fast the estimate's standard error changes with its value. */
  readonly acceleration: number;
}

/**
 * The bias-corrected and accelerated bootstrap interval (Efron, "Better bootstrap confidence intervals", JASA
 * 82(397), 1987; Efron & Tibshirani, "An Introduction to the Bootstrap", 1993, section 14.3). `statistic` may
 * reorder the array it is given. The acceleration comes from the jackknife, so the statistic has to be smooth: for a
 * median, whose jackknife takes two or three values only, use `bootstrapMedian`.
 */
export function bcaBootstrap(
  values: ArrayLike<number>,
  statistic: (resample: Float64Array) => number,
  options: BootstrapOptions = {},
): BcaInterval {
  const sample = finiteCopy(values);
  const count = sample.length;
  if (count < 2) throw new RangeError('the jackknife needs at least two values');
  const { resamples, seed, confidence } = checkedOptions(options);
  const estimate = statistic(sample.slice());
  const random = new Xoshiro128(seed);
  const drawn = new Float64Array(count);
  const replicates = new Float64Array(resamples);
  for (let i = 0; i < resamples; i++) {
    for (let k = 0; k < count; k++) drawn[k] = sample[nextBelow(random, count)]!;
    replicates[i] = statistic(drawn);
  }
  replicates.sort();

  const bias = normalQuantile(shareBelow(replicates, estimate));
  const acceleration = jackknifeAcceleration(sample, statistic);
  const bound = (z: number): number => {
    const shifted = bias + z;
    const level = normalCdf(bias + shifted / (1 - acceleration * shifted));
    return quantileOfSorted(replicates, level);
  };
  // All resamples on one side of the estimate: there is no corrected level, only the outermost resample.
  if (!Number.isFinite(bias)) {
    const at = quantileOfSorted(replicates, bias > 0 ? 1 : 0);
    return { low: Math.min(at, estimate), high: Math.max(at, estimate), estimate, bias, acceleration };
  }
  const z = normalQuantile((1 + confidence) / 2);
  return { low: bound(-z), high: bound(z), estimate, bias, acceleration };
}

/** Ties count half, as an estimate with few values has many. */
function shareBelow(ascending: Float64Array, estimate: number): number {
  let below = 0;
  let equal = 0;
  for (const replicate of ascending) {
    if (replicate < estimate) below++;
    else if (replicate === estimate) equal++;
    else break;
  }
  return (below + equal / 2) / ascending.length;
}

function jackknifeAcceleration(sample: Float64Array, statistic: (resample: Float64Array) => number): number {
  const count = sample.length;
  const rest = new Float64Array(count - 1);
  const left = sample.map((_, out) => {
    rest.set(sample.subarray(0, out));
    rest.set(sample.subarray(out + 1), out);
    return statistic(rest);
  });
  let mean = 0;
  for (const value of left) mean += value / count;
  let squares = 0;
  let cubes = 0;
  for (const value of left) {
    const distance = mean - value;
    squares += distance ** 2;
    cubes += distance ** 3;
  }
  return squares === 0 ? 0 : cubes / (6 * squares ** 1.5);
}
