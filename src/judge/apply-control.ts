import { caseId } from '../model/judge/case-key.ts';
import type { CaseComparison, CaseKey, Comparison } from '../model/judge/comparison.ts';
import { worstVerdict, isChange } from '../model/judge/verdict.ts';

/**
 * Takes back the verdict of every case in which the control, the baseline's own binary measured beside it, was
 * called different from the baseline: whatever did that to the control can have done it to the candidate.
 *
 * @param steadiness what a case shares with its control
 */
export function applyControl(
  comparison: Comparison,
  control: Comparison | undefined,
  steadiness: (key: CaseKey) => string = caseId,
): Comparison {
  if (control === undefined) return comparison;
  const unsteady = new Map(
    control.cases.flatMap((one) => {
      const difference_pct = differenceFromItself(one);
      return difference_pct === undefined ? [] : [[steadiness(one), difference_pct]];
    }),
  );
  const cases = comparison.cases.map((one): CaseComparison => {
    const difference_pct = unsteady.get(steadiness(one));
    if (difference_pct === undefined || one.state === 'not-estimated') return one;
    const size = Math.abs(difference_pct).toFixed(1);
    const reason = `the device was not steady: the same binary differed from itself by ${size} %.`;
    return { ...one, verdict: 'undecided', reason };
  });
  return { ...comparison, verdict: worstVerdict(cases), cases };
}

function differenceFromItself(one: CaseComparison): number | undefined {
  return one.state === 'estimated' && isChange(one) ? one.change_pct : undefined;
}
