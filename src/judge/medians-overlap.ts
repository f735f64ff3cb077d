import type { Series } from '../model/measure/samples.ts';
import { bootstrapMedian } from '../stats/bootstrap-median.ts';
import { sorted } from '../stats/order.ts';

/** From this many samples on, the brackets below are certain. */
const ENOUGH_TO_BRACKET = 100;

/**
 * Whether the bootstrap 95 % intervals of two medians overlap, as the seeds ask: all samples of a side in one bag.
 *
 * The ranks of an interval's ends lie 1.96 standard deviations of a binomial, √n/2, from the middle, give or take
 * one. The values at 1.6 and at 2.4 of them bracket the ends and mostly settle the question; only where they do not
 * is the interval computed.
 */
export function mediansOverlap(baseline: readonly Series[], candidate: readonly Series[]): boolean {
  const before = pooled(baseline);
  const after = pooled(candidate);
  if (Math.min(before.length, after.length) >= ENOUGH_TO_BRACKET) {
    if (overlap(bracket(before, 1.6), bracket(after, 1.6))) return true;
    if (!overlap(bracket(before, 2.4), bracket(after, 2.4))) return false;
  }
  return overlap(bootstrapMedian(before), bootstrapMedian(after));
}

interface Ends {
  readonly low: number;
  readonly high: number;
}

function overlap(one: Ends, other: Ends): boolean {
  return one.low <= other.high && other.low <= one.high;
}

/** The values so many standard deviations of the median's rank to each side. */
function bracket(ascending: Float64Array, deviations: number): Ends {
  const last = ascending.length - 1;
  const reach = (deviations * Math.sqrt(ascending.length)) / 2;
  return {
    low: ascending[Math.max(0, Math.round(last / 2 - reach))]!,
    high: ascending[Math.min(last, Math.round(last / 2 + reach))]!,
  };
}

function pooled(series: readonly Series[]): Float64Array {
  const all = new Float64Array(series.reduce((sum, { samples_ms }) => sum + samples_ms.length, 0));
  let filled = 0;
  for (const { samples_ms } of series) {
    all.set(samples_ms, filled);
    filled += samples_ms.length;
  }
  return sorted(all);
}
