import type { CaseComparison } from '../../model/comparison.ts';
import type { Try } from '../../model/session.ts';
import type { Verdict } from '../../model/verdict.ts';

type Outcome = NonNullable<Try['outcome']>;

const OUTCOMES: Readonly<Record<Verdict, Outcome>> = {
  improved: 'improved',
  maintained: 'no-gain',
  regressed: 'worse',
  undecided: 'undecided',
  incorrect: 'incorrect',
  // The state that it is compared with could not be measured: nothing is known of a change.
  new: 'undecided',
};

/** Two builds of the same source may differ by this much. */
const SAME_SOURCE_PCT = 0.5;

/** What came of a try, by the comparison's verdict. What does not build failed; it is not wrong. */
export function outcomeOf(row: CaseComparison): Outcome {
  if (row.fault?.during === 'build') return 'failed';
  return isSmallGain(row) ? 'improved' : OUTCOMES[row.verdict];
}

/** A gain that is certain counts, though it is too small for a new baseline: many a kernel got fast by 2 % at a time. */
function isSmallGain(row: CaseComparison): boolean {
  return row.verdict === 'maintained' && row.state === 'estimated' && row.ci_pct[0] > SAME_SOURCE_PCT;
}

/** How much of what was predicted came; nothing where nothing was predicted or estimated. */
export function shareOfPredicted(
  predicted_pct: number | undefined,
  change_pct: number | undefined,
): number | undefined {
  if (predicted_pct === undefined || predicted_pct <= 0 || change_pct === undefined) return undefined;
  return change_pct / predicted_pct;
}
