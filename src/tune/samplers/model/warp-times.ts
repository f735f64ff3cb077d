import { normalQuantile } from '../../../stats/normal.ts';
import { mean, standardDeviation } from '../../../stats/summary.ts';
import type { Warp } from './settings.ts';

/** The floor of shifted logarithms: this share below the best. */
const FLOOR_SHARE = 0.2;

/**
 * Times as the model sees them, with mean 0 and deviation 1. Times of one kernel's variants spread over orders of
 * magnitude, and what matters is the order of the best.
 */
export function warpTimes(times_ms: readonly number[], kind: Warp): Float64Array {
  const warped = warp(times_ms, kind);
  const centre = mean(warped);
  const deviation = standardDeviation(warped);
  // All alike, or one alone: nothing to tell apart.
  const scale = deviation > 0 && Number.isFinite(deviation) ? 1 / deviation : 1;
  return warped.map((value) => (value - centre) * scale);
}

function warp(times_ms: readonly number[], kind: Warp): Float64Array {
  if (kind === 'log') return Float64Array.from(times_ms, (time) => Math.log(time));
  if (kind === 'shifted-log') {
    const floor = (1 - FLOOR_SHARE) * times_ms.reduce((one, other) => Math.min(one, other), Infinity);
    return Float64Array.from(times_ms, (time) => Math.log(time - floor));
  }
  return normalScores(times_ms);
}

/** The quantiles of the normal distribution at the ranks; equal times share their mean rank. */
function normalScores(times_ms: readonly number[]): Float64Array {
  const order = [...times_ms.keys()].sort((one, other) => times_ms[one]! - times_ms[other]!);
  const scores = new Float64Array(times_ms.length);
  for (let from = 0; from < order.length;) {
    let to = from + 1;
    while (to < order.length && times_ms[order[to]!] === times_ms[order[from]!]) to++;
    const score = normalQuantile((from + to) / 2 / order.length);
    for (let rank = from; rank < to; rank++) scores[order[rank]!] = score;
    from = to;
  }
  return scores;
}
