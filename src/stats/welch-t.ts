import type { Alternative } from './mann-whitney-u.ts';
import { studentTQuantile, studentTTwoSided, studentTUpperTail } from './student-t.ts';
import { moments } from './summary.ts';

export interface WelchOptions {
  readonly alternative?: Alternative;
  /** Coverage that the interval aims at, as a fraction. The interval is two-sided whatever the alternative. */
  readonly confidence?: number;
}

export interface WelchResult {
  /** Mean of the baseline less mean of the candidate: of times, what the candidate saves. */
  readonly difference: number;
  readonly standardError: number;
  readonly t: number;
  readonly df: number;
  readonly p: number;
  readonly low: number;
  readonly high: number;
}

/**
 * Welch's t test and interval for a difference of means, the variances not assumed equal ("The generalization of
 * ‘Student's’ problem when several different population variances are involved", Biometrika 34, 1947). Two samples
 * without any variation differ or don't: t is infinite or 0, and the degrees of freedom are those of equal variances.
 */
export function welchT(
  baseline: ArrayLike<number>,
  candidate: ArrayLike<number>,
  options: WelchOptions = {},
): WelchResult {
  const { alternative = 'two-sided', confidence = 0.95 } = options;
  if (!(confidence > 0 && confidence < 1)) {
    throw new RangeError(`confidence lies between 0 and 1, not at ${confidence}`);
  }
  const { difference, standardError, df } = meanDifference(baseline, candidate);
  const t = difference === 0 ? 0 : difference / standardError;
  const reach = studentTQuantile((1 + confidence) / 2, df) * standardError;
  return {
    difference,
    standardError,
    t,
    df,
    p: tProbability(t, df, alternative),
    low: difference - reach,
    high: difference + reach,
  };
}

function tProbability(t: number, df: number, alternative: Alternative): number {
  if (alternative === 'two-sided') return studentTTwoSided(t, df);
  return studentTUpperTail(alternative === 'greater' ? t : -t, df);
}

/** The difference of means with its standard error and Satterthwaite's degrees of freedom (Biometrics Bulletin 2(6), 1946). */
export function meanDifference(
  baseline: ArrayLike<number>,
  candidate: ArrayLike<number>,
): { difference: number; standardError: number; df: number } {
  const n = baseline.length;
  const m = candidate.length;
  if (n < 2 || m < 2) throw new RangeError('a t test needs at least two values per side');
  const a = moments(baseline);
  const b = moments(candidate);
  const varianceA = a.standardDeviation ** 2 / n;
  const varianceB = b.standardDeviation ** 2 / m;
  const variance = varianceA + varianceB;
  // Divided by the sum first, so that variances near the smallest double don't vanish when squared.
  const shareA = varianceA / variance;
  const shareB = varianceB / variance;
  const df = variance > 0 ? 1 / (shareA ** 2 / (n - 1) + shareB ** 2 / (m - 1)) : n + m - 2;
  return { difference: a.mean - b.mean, standardError: Math.sqrt(variance), df };
}
