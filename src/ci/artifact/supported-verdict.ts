import type { CaseComparison, Change } from '../../model/judge/comparison.ts';
import { readInterval } from '../../model/judge/read-interval.ts';
import type { Verdict } from '../../model/judge/verdict.ts';

export interface Thresholds {
  readonly regression_pct: number;
  readonly improvement_pct: number;
}

/** Thresholds and intervals went through files. */
const ROUNDING = 1e-9;

/**
 * The best verdict that a case's own numbers allow, where the one it claims is better; otherwise the claim. The rule
 * is the judge's (docs/statistics.md) as far as a report's numbers go: what speaks against the case (a wrong result,
 * a slower median, a device that was not steady) is believed without them.
 */
export function supportedVerdict(one: CaseComparison, thresholds: Thresholds): Verdict {
  const { verdict } = one;
  if (verdict === 'incorrect' || one.fault !== undefined) return 'incorrect';
  if (verdict === 'regressed' || verdict === 'undecided') return verdict;
  if (one.state === 'not-estimated') {
    // Settled without timing: nothing to compare with, or the same binary on both sides.
    const isSettled = verdict === 'new' || (verdict === 'maintained' && one.candidate_ms === undefined);
    return isSettled ? verdict : 'undecided';
  }

  const isClock = one.cycles?.clock_change === true && readChange(one.cycles, thresholds) === 'maintained';
  if (isClock) return 'maintained';
  const read = readChange(one, thresholds);
  return verdict === 'improved' || read !== 'improved' ? read : 'maintained';
}

/** A report has one end for each side; the far one stands for both that the judge reads there. */
function readChange({ change_pct, ci_pct }: Change, thresholds: Thresholds): Verdict {
  const slowest = shift(ci_pct[0]);
  return readInterval(
    { estimate: shift(change_pct), low: shift(ci_pct[1]), high: slowest, slowest },
    {
      question: 'gate',
      slowdown: Math.log1p(thresholds.regression_pct / 100) + ROUNDING,
      gain: -Math.log1p(-Math.min(thresholds.improvement_pct, 99.9) / 100) - ROUNDING,
    },
  );
}

/** On the scale of logarithms: positive is slower. */
function shift(change_pct: number): number {
  return Math.log1p(-Math.min(change_pct, 100) / 100);
}
