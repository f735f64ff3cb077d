import { isGateDone, workedMinutes } from '../../model/session-progress.ts';
import type { Session } from '../../model/session.ts';

/** What came of a session. A goal counts as reached when validation says so, not when a quick look did. */
export function outcomeOfSession(session: Session, summary?: string): NonNullable<Session['outcome']> {
  const { goal, speedup, tries } = session;
  const best = speedup.best;
  const open = session.gates.filter((gate) => gate.phase === 'validate' && !isGateDone(gate));
  const isFast = best !== undefined && best >= goal.speedup;
  const helped = tries.filter(({ kept }) => kept === true).length;
  const sentences = [
    best === undefined
      ? 'Nothing was measured against the reference.'
      : `${best.toFixed(2)}× at ${goal.case}, of ${goal.speedup.toFixed(2)}× wanted.`,
    `${helped} of ${tries.length} ${tries.length === 1 ? 'try' : 'tries'} kept.`,
    ...(open.length === 0 ? [] : [`Not validated: ${open.map(({ gate }) => gate).join(', ')}.`]),
  ];
  return {
    reached: isFast && open.length === 0,
    ...(best === undefined ? {} : { speedup: best }),
    minutes: workedMinutes(session),
    summary: summary ?? sentences.join(' '),
  };
}
