import type { BootstrapOptions, MedianInterval } from './bootstrap-median.ts';
import { checkedOptions, percentileInterval } from './bootstrap-median.ts';
import { sorted } from './order.ts';
import { median, quantileInPlace, quantileOfSorted } from './quantile.ts';
import { nextBelow, Xoshiro128 } from './random.ts';
import { ResampleMedian } from './resample-median.ts';

/**
 * The interval of the median of process medians. Each resample draws processes with replacement, then samples
 * with replacement within each of them, so that the interval is as wide as the processes differ, which the
 * samples of one process cannot know (Davison & Hinkley, "Bootstrap Methods and their Application", 1997,
 * section 3.8; Kalibera & Jones, "Rigorous benchmarking in reasonable time", ISMM 2013, section 5).
 *
 * With few processes it is too narrow, as every percentile bootstrap of few things is: three processes can be
 * drawn in ten ways. Below five, read it as a lower bound of the uncertainty.
 */
export function hierarchicalBootstrapMedian(
  series: readonly ArrayLike<number>[],
  options: BootstrapOptions = {},
): MedianInterval {
  if (series.length === 0) throw new RangeError('the median of no processes is undefined');
  const bySize = new Map<number, ResampleMedian>();
  const processes = series.map((samples) => {
    const ascending = sorted(samples);
    const resample = bySize.get(ascending.length) ?? new ResampleMedian(ascending.length);
    bySize.set(ascending.length, resample);
    return { ascending, resample };
  });
  const { resamples, seed, confidence } = checkedOptions(options);
  const random = new Xoshiro128(seed);
  const drawn = new Float64Array(processes.length);
  const medians = new Float64Array(resamples);
  for (let i = 0; i < resamples; i++) {
    for (let p = 0; p < drawn.length; p++) {
      const { ascending, resample } = processes[nextBelow(random, processes.length)]!;
      drawn[p] = resample.draw(ascending, random);
    }
    medians[i] = quantileInPlace(drawn, 0.5);
  }
  return {
    ...percentileInterval(medians, confidence),
    median: median(processes.map(({ ascending }) => quantileOfSorted(ascending, 0.5))),
  };
}
