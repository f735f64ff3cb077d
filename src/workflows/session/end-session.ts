import { join } from 'node:path';

import { writeDurably } from '../../os/write-durably.ts';
import { predictionError } from '../../learn/advice/prediction-error.ts';
import { lessonsOf } from '../../learn/lessons/learn-from-session.ts';
import { addLesson } from '../../learn/lessons/write-lesson.ts';
import { loadMethod } from '../../learn/method/load-method.ts';
import { outcomeOfSession } from '../../learn/session/session-outcome.ts';
import { isGateDone, isStopping } from '../../model/learn/session-progress.ts';
import { PawlError } from '../../model/pawl-error.ts';
import type { Session } from '../../model/learn/session.ts';
import { renderSessionMarkdown } from '../../report/markdown/session-markdown.ts';
import { earlierSessions } from '../../learn/session/earlier-sessions.ts';
import { inOrder, runGates } from './run-gates.ts';
import { workOnSession, type OpenSession } from '../../learn/session/open-session.ts';
import { withSessionJudge, type JudgeOptions } from '../../learn/session/session-judge.ts';
import type { SessionTarget } from '../../learn/session/session-options.ts';

export interface EndOptions extends SessionTarget, JudgeOptions {
  readonly summary?: string;
  /** Run the gates of validation first. Default: where a try was kept. */
  readonly validate?: boolean;
}

/**
 * Ends a session: runs the gates of validation where a try was kept, says what the session reached, stores its lessons
 * and writes its report.
 *
 * @throws {PawlError} of kind `usage` if no session is open; `try-again` if another command works on it
 */
export async function endSession(options: EndOptions): Promise<Session> {
  return workOnSession(options, 'pawl session end', async (opened) => {
    const ruling = await withSessionJudge(opened, options, async (found) => {
      if (options.validate ?? isWorthValidating(opened.session)) {
        const method = await loadMethod(opened.loaded);
        const gates = inOrder(method).filter(({ id, phase }) => phase === 'validate' && !isDone(opened, id));
        await runGates(opened, method, gates, { ...options, ruling: found });
      }
      return found;
    });
    const lessons = lessonsOf(opened.session);
    const outcome = outcomeOfSession(opened.session, ruling, options.summary);
    await opened.add({ type: 'ended', outcome, lessons });
    for (const lesson of lessons) {
      await addLesson(opened.loaded, lesson).catch((error: unknown) => {
        // The session has the lesson; a file that cannot be written does not keep it open.
        if (!(error instanceof PawlError)) throw error;
        options.onProgress?.({ type: 'note', level: 'warning', text: `lessons: ${error.message}` });
      });
    }
    await writeDurably(reportPath(opened), await sessionReport(opened.loaded, opened.session));
    return opened.session;
  });
}

/** One that changed nothing has nothing to validate, and one that stopped while validating was. */
function isWorthValidating({ gates, tries }: Session): boolean {
  const isDecided = gates.some((gate) => gate.phase === 'validate' && isStopping(gate));
  return !isDecided && tries.some(({ kept }) => kept === true);
}

function isDone({ session }: OpenSession, id: string): boolean {
  const gate = session.gates.find((each) => each.gate === id);
  return gate !== undefined && isGateDone(gate);
}

function reportPath({ folder }: OpenSession): string {
  return join(folder, 'report.md');
}

/** The report of a session in Markdown, beside what is known of others. */
export async function sessionReport(loaded: OpenSession['loaded'], session: Session): Promise<string> {
  const known = await earlierSessions(loaded);
  const earlier = known.filter(({ id, started_at }) => id !== session.id && started_at <= session.started_at);
  return renderSessionMarkdown(session, {
    earlier,
    error: predictionError([...earlier, session]),
  });
}
