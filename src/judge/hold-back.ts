import { defined } from '../model/defined.ts';
import type { CaseComparison, Comparison } from '../model/judge/comparison.ts';
import { isHeldBack, type JudgeFields } from '../model/judge/judge-change.ts';
import { VERDICT, type Verdict } from '../model/judge/verdict.ts';

/**
 * A comparison of a change that alters its own judge: it says so, and no verdict in it is better than undecided
 * before a person accepts that. What is wrong or slower by the base's judge stays what it is.
 */
export function holdBack(comparison: Comparison, fields: JudgeFields): Comparison {
  const { judge_changes = [], judge_accepted } = fields;
  if (judge_changes.length === 0) return comparison;
  return {
    ...comparison,
    verdict: atBest(comparison.verdict, fields),
    cases: isHeldBack(fields) ? comparison.cases.map((one) => heldBack(one, fields)) : comparison.cases,
    judge_changes: [...judge_changes],
    ...defined({ judge_accepted }),
  };
}

/** A verdict that waits for a person is undecided at best. */
export function atBest(verdict: Verdict, fields: JudgeFields): Verdict {
  return VERDICT[verdict].result === 'good' && isHeldBack(fields) ? 'undecided' : verdict;
}

const WHY = 'The change alters its own judge, so this is undecided until a person accepts that.';

function heldBack(one: CaseComparison, fields: JudgeFields): CaseComparison {
  const verdict = atBest(one.verdict, fields);
  if (verdict === one.verdict) return one;
  return { ...one, verdict, reason: `${one.verdict} by the base's judge: ${one.reason} ${WHY}` };
}
