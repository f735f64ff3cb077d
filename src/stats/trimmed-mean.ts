import { sorted } from './order.ts';

/** A trimmed sample: what is left of its mean, and what Yuen's test needs to know of its spread. */
export interface Trimmed {
  readonly mean: number;
  /** Values that are left: n − 2⌊share · n⌋. */
  readonly kept: number;
  /** Sum of squared deviations of the winsorized sample: each value cut off is replaced by the nearest one kept. */
  readonly winsorizedSquares: number;
}

/**
 * The mean of what is left when the lowest and the highest `share` of the values are cut off, ⌊share · n⌋ at each
 * end (Tukey & McLaughlin, "Less vulnerable confidence and significance procedures for location based on a single
 * sample", Sankhyā A 25(3), 1963).
 */
export function trimmedMean(values: ArrayLike<number>, share: number): number {
  return trimmed(values, share).mean;
}

export function trimmed(values: ArrayLike<number>, share: number): Trimmed {
  if (!(share >= 0 && share < 0.5)) {
    throw new RangeError(`the share trimmed at each end lies from 0 to below 0.5, not at ${share}`);
  }
  const ascending = sorted(values);
  const count = ascending.length;
  const cut = Math.floor(share * count);
  const mean = meanOf(ascending.subarray(cut, count - cut));

  ascending.fill(ascending[cut]!, 0, cut);
  ascending.fill(ascending[count - cut - 1]!, count - cut);
  const winsorizedMean = meanOf(ascending);
  let winsorizedSquares = 0;
  for (const value of ascending) winsorizedSquares += (value - winsorizedMean) ** 2;
  return { mean, kept: count - 2 * cut, winsorizedSquares };
}

/** Summed as distances from one of the values, so that equal values have exactly their own mean. */
function meanOf(values: Float64Array): number {
  const origin = values[0]!;
  let sum = 0;
  for (const value of values) sum += value - origin;
  return origin + sum / values.length;
}
