import { defined } from '../../model/defined.ts';
import type { FixOutcome } from '../../model/learn/advice.ts';
import type { Session, Try } from '../../model/learn/session.ts';
import { UNKNOWN_DEVICE } from './likeness.ts';

/** What can be learnt of fixes from sessions, oldest first. */
export function outcomesOf(sessions: readonly Session[]): FixOutcome[] {
  return sessions
    .flatMap((session) => session.tries.flatMap((one) => outcomeOf(session, one)))
    .toSorted(
      (one, other) =>
        compare(one.date, other.date) || compare(one.session, other.session) || one.try - other.try,
    );
}

/**
 * Nothing is learnt from a try that follows no finding, that changed nothing or several things at once (it is not clear
 * which of them did it), or whose result was wrong or did not come: none of these says what the fix brings.
 */
function outcomeOf(session: Session, one: Try): FixOutcome[] {
  const { rule, measured, outcome, flags, number } = one;
  const expected_gain_pct = promiseOf(session, one);
  if (rule === undefined || measured?.change_pct === undefined || expected_gain_pct === undefined) return [];
  if (outcome === 'incorrect' || outcome === 'failed' || outcome === 'corrected') return [];
  if (flags.includes('several-variables') || flags.includes('no-change')) return [];
  const { at, change_pct, ci_pct } = measured;
  return [
    {
      session: session.id,
      try: number,
      date: at,
      rule,
      kind: session.kind,
      device: session.device ?? UNKNOWN_DEVICE,
      expected_gain_pct,
      change_pct,
      ...defined({ ci_pct }),
    },
  ];
}

/** As it was said when the try was opened; else by the session's last ranking; else what was predicted by hand. */
function promiseOf(
  { advice }: Session,
  { rule, rule_gain_pct, predicted_change_pct }: Try,
): number | undefined {
  const ranked = advice?.fixes.find((fix) => fix.rule === rule)?.rule_gain_pct;
  const promise = rule_gain_pct ?? ranked ?? predicted_change_pct;
  return promise !== undefined && promise > 0 ? promise : undefined;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
