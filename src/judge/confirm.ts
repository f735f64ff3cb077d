import { isSameCase } from '../model/judge/case-key.ts';
import type { CaseComparison, Comparison } from '../model/judge/comparison.ts';
import { isChange } from '../model/judge/verdict.ts';

/** Verdicts that somebody will act on: they are measured a second time before they count. */
export function needsConfirmation(one: CaseComparison): boolean {
  return isChange(one);
}

/** The verdict after an independent second measurement: both must agree, or nothing is decided. */
export function confirmed(first: CaseComparison, second: Comparison | undefined): CaseComparison {
  const again = second?.cases.find((each) => isSameCase(each, first));
  if (again === undefined) {
    const reason = `the first measurement said ${first.verdict}, and it could not be measured a second time.`;
    return { ...first, verdict: 'undecided', reason };
  }
  if (again.verdict === first.verdict) {
    return { ...again, reason: `${again.reason} Confirmed by a second, independent measurement.` };
  }
  const reason = `the first measurement said ${first.verdict}, a second one ${again.verdict}: ${again.reason}`;
  return { ...again, verdict: 'undecided', reason };
}
