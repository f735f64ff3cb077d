import { studentTQuantile, studentTTwoSided } from './student-t.ts';
import { trimmed } from './trimmed-mean.ts';

/** A difference between two locations with what its uncertainty is made of. */
export interface Shift {
  /** Location of the second sample minus that of the first. */
  readonly difference: number;
  readonly first: number;
  readonly second: number;
  /** The interval is the widest, and the p-value the largest, that any of these gives. */
  readonly errors: readonly StandardError[];
}

interface StandardError {
  readonly value: number;
  readonly degreesOfFreedom: number;
}

/**
 * The difference of two trimmed means with Yuen's standard error ("The two-sample trimmed t for unequal population
 * variances", Biometrika 61(1), 1974) and, beside it, the pooled one of the trimmed t for equal variances (Yuen &
 * Dixon, "The approximate behaviour and performance of the two-sample trimmed t", Biometrika 60(2), 1973). With
 * `share` 0 the two are Welch's and Student's t.
 *
 * For samples of equal size the two standard errors are the same and Yuen's degrees of freedom are fewer, so Yuen's
 * test is all that counts. For unequal sizes either alone is too bold in some way: Yuen's when the smaller sample's
 * spread is badly known or the values are skewed, the pooled one when the smaller sample has the larger spread.
 */
export function yuenShift(first: ArrayLike<number>, second: ArrayLike<number>, share: number): Shift {
  const one = trimmed(first, share);
  const two = trimmed(second, share);
  if (one.kept < 2 || two.kept < 2) throw new RangeError('a trimmed t needs two values left on each side');
  const varianceOne = one.winsorizedSquares / (one.kept * (one.kept - 1));
  const varianceTwo = two.winsorizedSquares / (two.kept * (two.kept - 1));
  const variance = varianceOne + varianceTwo;
  const pooledDegrees = one.kept + two.kept - 2;
  // Welch's approximation; where nothing varies there is nothing to approximate.
  const degreesOfFreedom =
    variance === 0
      ? pooledDegrees
      : 1 / ((varianceOne / variance) ** 2 / (one.kept - 1) + (varianceTwo / variance) ** 2 / (two.kept - 1));
  const yuen = { value: Math.sqrt(variance), degreesOfFreedom };
  const pooled = (one.winsorizedSquares + two.winsorizedSquares) / pooledDegrees;
  const equal = {
    value: Math.sqrt(pooled * (1 / one.kept + 1 / two.kept)),
    degreesOfFreedom: pooledDegrees,
  };
  return {
    difference: two.mean - one.mean,
    first: one.mean,
    second: two.mean,
    errors: one.kept === two.kept ? [yuen] : [yuen, equal],
  };
}

/** How far the true difference may lie from the estimate on one side, but for a chance of `tail`. */
export function shiftHalfWidth(shift: Shift, tail: number): number {
  let widest = 0;
  for (const { value, degreesOfFreedom } of shift.errors) {
    if (value > 0) widest = Math.max(widest, value * studentTQuantile(1 - tail, degreesOfFreedom));
  }
  return widest;
}

/** Two-sided p-value of "there is no difference". */
export function shiftPValue(shift: Shift): number {
  if (shift.difference === 0) return 1;
  let largest = 0;
  for (const { value, degreesOfFreedom } of shift.errors) {
    if (value > 0) {
      largest = Math.max(largest, studentTTwoSided(shift.difference / value, degreesOfFreedom));
    }
  }
  return largest;
}

/** The largest of the standard errors. */
export function shiftStandardError(shift: Shift): number {
  return shift.errors.reduce((largest, { value }) => Math.max(largest, value), 0);
}
