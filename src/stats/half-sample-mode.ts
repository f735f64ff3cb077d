import { sorted } from './order.ts';

/**
 * The half-sample mode (Bickel & Frühwirth, "On a fast, robust estimator of the mode", Computational Statistics &
 * Data Analysis 50(12), 2006): the half of the values that lies closest together, then the half of that half, until
 * one, two or three values are left. Timings crowd near the time a kernel takes undisturbed; this finds the crowd.
 *
 * Where several halves are equally short, which a clock with coarse ticks makes common, the middle one is taken, the lower
 * of two.
 */
export function halfSampleMode(values: ArrayLike<number>): number {
  const ascending = sorted(values);
  let start = 0;
  let size = ascending.length;
  while (size > 3) {
    const half = Math.ceil(size / 2);
    start = densest(ascending, start, size, half);
    size = half;
  }
  const first = ascending[start]!;
  if (size === 1) return first;
  const second = ascending[start + 1]!;
  if (size === 2) return first + (second - first) / 2;
  const third = ascending[start + 2]!;
  const gap = second - first - (third - second);
  if (gap === 0) return second;
  return gap < 0 ? first + (second - first) / 2 : second + (third - second) / 2;
}

/** Where the shortest stretch of `half` values starts, among those from `start` on. */
function densest(ascending: Float64Array, start: number, size: number, half: number): number {
  let shortest = Infinity;
  let ties: number[] = [];
  for (let at = start; at + half <= start + size; at++) {
    const length = ascending[at + half - 1]! - ascending[at]!;
    if (length < shortest) {
      shortest = length;
      ties = [at];
    } else if (length === shortest) ties.push(at);
  }
  return ties[(ties.length - 1) >> 1]!;
}
