import { studentTQuantile, studentTUpperTail } from './student-t.ts';
import { meanDifference } from './welch-t.ts';

export interface EquivalenceBounds {
  /** The difference, baseline less candidate, has to lie above this … */
  readonly low: number;
  /** … and below this. */
  readonly high: number;
  readonly alpha?: number;
}

export interface Equivalence {
  readonly difference: number;
  /** The larger of the two one-sided p: equivalence is shown when it is at most `alpha`. */
  readonly p: number;
  readonly equivalent: boolean;
  /** The 1 − 2·alpha interval of the difference, which lies within the bounds exactly when `equivalent`. */
  readonly interval: { readonly low: number; readonly high: number };
}

/**
 * Two one-sided tests of equivalence of means (Schuirmann, "A comparison of the two one-sided tests procedure and the
 * power approach", Journal of Pharmacokinetics and Biopharmaceutics 15(6), 1987), with Welch's standard error. It
 * shows that a difference is small; a difference that was merely not found does not show that.
 */
export function equivalence(
  baseline: ArrayLike<number>,
  candidate: ArrayLike<number>,
  bounds: EquivalenceBounds,
): Equivalence {
  const { low, high, alpha = 0.05 } = bounds;
  if (!(low < high)) throw new RangeError(`equivalence bounds are in ascending order, not ${low}, ${high}`);
  if (!(alpha > 0 && alpha < 0.5)) throw new RangeError(`alpha lies between 0 and 0.5, not at ${alpha}`);
  const { difference, standardError, df } = meanDifference(baseline, candidate);
  const p = Math.max(
    oneSided(difference - low, standardError, df),
    oneSided(high - difference, standardError, df),
  );
  const reach = studentTQuantile(1 - alpha, df) * standardError;
  return {
    difference,
    p,
    equivalent: p <= alpha,
    interval: { low: difference - reach, high: difference + reach },
  };
}

function oneSided(distance: number, standardError: number, df: number): number {
  if (standardError === 0) return distance > 0 ? 0 : 1;
  return studentTUpperTail(distance / standardError, df);
}
