import type { Session, SessionSummary } from '../../model/session.ts';
import { minutesOf } from './session-outcome.ts';

/** A line of a list. */
export function summariseSession(session: Session): SessionSummary {
  const { id, goal, kernel, kind, device, state, phase, started_at, ended_at, tries, speedup } = session;
  const best = session.outcome?.speedup ?? speedup.best;
  return {
    id,
    title: goal.text,
    kernel,
    kind,
    ...(device === undefined ? {} : { device }),
    state,
    phase,
    started_at,
    ...(ended_at === undefined ? {} : { finished_at: ended_at }),
    tries: tries.length,
    ...(best === undefined ? {} : { speedup: best }),
    minutes: minutesOf(session),
  };
}
