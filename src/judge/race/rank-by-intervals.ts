import type { Speedup } from '../../model/judge/race.ts';
import type { Rank } from './rank-kernels.ts';

/**
 * The places that intervals leave open, where candidates were each compared with the same reference and not with each
 * other: below every one whose interval is wholly above, above every one whose interval is wholly below. It is what
 * `rankKernels` says of pairs whose intervals do not touch, for any number of candidates.
 */
export function rankByIntervals(speedups: readonly Pick<Speedup, 'low' | 'high'>[]): Rank[] {
  const lows = speedups.map(({ low }) => low).sort((a, b) => a - b);
  const highs = speedups.map(({ high }) => high).sort((a, b) => a - b);
  return speedups.map(({ low, high }) => {
    const faster = lows.length - countUpTo(lows, high);
    const slower = countBelow(highs, low);
    return [1 + faster, speedups.length - slower];
  });
}

/** How many are at most this. */
function countUpTo(sorted: readonly number[], value: number): number {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (sorted[middle]! <= value) from = middle + 1;
    else to = middle;
  }
  return from;
}

function countBelow(sorted: readonly number[], value: number): number {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (sorted[middle]! < value) from = middle + 1;
    else to = middle;
  }
  return from;
}
