import { defined } from '../model/defined.ts';
import type { ListedSession } from '../model/history/history-api.ts';
import type { Session } from '../model/learn/session.ts';
import { workedMinutes } from '../model/learn/session-progress.ts';

/** A session as a line of a list. */
export function sessionSummary(session: Session): ListedSession {
  const { id, goal, kernel, kind, device, state, phase, started_at, ended_at, tries, prediction } = session;
  const speedup = session.outcome?.speedup ?? session.speedup.best ?? session.speedup.first;
  return {
    id,
    title: goal.text,
    kernel,
    kind,
    ...defined({ device, by: session.by }),
    state,
    phase,
    started_at,
    ...defined({ finished_at: ended_at }),
    revision: session.revision,
    tries: tries.length,
    ...defined({ speedup }),
    minutes: session.outcome?.minutes ?? workedMinutes(session),
    goal,
    ...defined({ reached: session.outcome?.reached }),
    prediction,
  };
}
