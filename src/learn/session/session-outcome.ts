import { defined } from '../../model/defined.ts';
import { isGateDone, isStopping, workedMinutes } from '../../model/learn/session-progress.ts';
import { isHeldBack, type JudgeFields } from '../../model/judge/judge-change.ts';
import type { Session } from '../../model/learn/session.ts';

/**
 * What came of a session. A goal counts as reached when validation says so, not when a quick look did, and by a judge
 * that was not altered, or with a person's word that it may be altered.
 */
export function outcomeOfSession(
  session: Session,
  { judge_changes = [], judge_accepted }: JudgeFields = {},
  summary?: string,
): NonNullable<Session['outcome']> {
  const isHeld = isHeldBack({ judge_changes, judge_accepted });
  const { goal, speedup, tries } = session;
  const best = speedup.best;
  const open = session.gates.filter((gate) => gate.phase === 'validate' && !isGateDone(gate));
  const isFast = best !== undefined && best >= goal.speedup;
  const helped = tries.filter(({ kept }) => kept === true).length;
  const reached = isFast && open.length === 0 && !isHeld;
  const stopped = session.gates.find((gate) => gate.phase !== 'validate' && isStopping(gate));
  const sentences = [
    best === undefined
      ? 'Nothing was measured against the reference.'
      : `${reached ? 'Reached' : 'Not reached'}: ${best.toFixed(2)}× at ${goal.case}, of ${goal.speedup.toFixed(2)}× wanted.`,
    `${helped} of ${tries.length} ${tries.length === 1 ? 'try' : 'tries'} kept.`,
    open.length === 0 ? 'Validated.' : `Not validated: ${open.map(({ gate }) => gate).join(', ')}.`,
    ...(stopped === undefined ? [] : [`It ended at the gate ${stopped.gate}.`]),
  ];
  const held = `The files alter their own judge, which a person has to accept: ${judge_changes.map(({ text }) => text).join('; ')}.`;
  return {
    reached,
    ...defined({ speedup: best }),
    minutes: workedMinutes(session),
    summary: [...sentences, ...(isHeld ? [held] : []), ...(summary === undefined ? [] : [summary])].join(' '),
    ...(judge_changes.length === 0 ? {} : { judge_changes: [...judge_changes] }),
    ...defined({ judge_accepted }),
  };
}
