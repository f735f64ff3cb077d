import type { CaseComparison } from '../../model/judge/comparison.ts';
import type { Try } from '../../model/learn/session.ts';
import type { Verdict } from '../../model/judge/verdict.ts';

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

export interface JudgedTry {
  /** The row that decided: the goal's, or that of a case in which the kernel is wrong. */
  readonly row: CaseComparison;
  readonly outcome: Outcome;
  readonly reason: string;
}

/**
 * What came of a try. Every declared case was checked, and the goal's was timed: a kernel that is wrong in any of them
 * is wrong. One that is right where the state before it was not has corrected it, whatever that costs in time.
 */
export function judgeTry(rows: readonly CaseComparison[], goalCase: string): JudgedTry | undefined {
  const goal = rows.find((row) => row.case === goalCase);
  const others = rows.filter((row) => row !== goal);
  const decidedBy = (row: CaseComparison, outcome = outcomeOf(row)): JudgedTry => ({
    row,
    outcome,
    reason: row === goal || row.fault?.during === 'build' ? row.reason : `${row.case}: ${row.reason}`,
  });
  const wrong = rows.find((row) => row === goal && isWrong(row)) ?? others.find(isWrong);
  if (wrong !== undefined) {
    const { reason, ...judged } = decidedBy(wrong);
    return {
      ...judged,
      reason: `${reason}${wasWrong(wrong) ? ' The state before it is wrong there too.' : ''}`,
    };
  }
  const lost = others.find(isLost);
  if (lost !== undefined) return decidedBy(lost);
  if (goal === undefined) return undefined;
  const corrected = rows.find((row) => row.verdict === 'new' && wasWrong(row));
  // One that could not be run is not known to be right.
  if (corrected === undefined || isLost(goal)) return decidedBy(goal);
  const was = `${corrected.case} is right now, and was not before: ${endSentence(corrected.baseline_fault?.text ?? '')}`;
  const reason = corrected === goal ? was : `${was} ${goal.case}: ${goal.reason}`;
  return { row: goal, outcome: 'corrected', reason };
}

function isWrong({ verdict }: CaseComparison): boolean {
  return verdict === 'incorrect';
}

/** It could not be run, and the state before it could. A tolerance that is blind is so for both. */
function isLost({ verdict, state, blind, baseline_fault }: CaseComparison): boolean {
  return (
    state === 'not-estimated' &&
    verdict === 'undecided' &&
    blind === undefined &&
    baseline_fault === undefined
  );
}

function wasWrong({ baseline_fault }: CaseComparison): boolean {
  return baseline_fault?.verdict === 'incorrect';
}

function endSentence(text: string): string {
  return /[.!?]$/u.test(text) ? text : `${text}.`;
}

/** By the comparison's verdict. What does not build failed; it is not wrong. */
function outcomeOf(row: CaseComparison): Outcome {
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
