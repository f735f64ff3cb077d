/** Apart from what works on sessions: a list is asked for often, and needs none of the rest. */
import { loadConfig } from '../../config/load-config.ts';
import { sessionSummary } from '../../history/session-summary.ts';
import type { OnProgress } from '../../model/measure/progress.ts';
import type { SessionSummary } from '../../model/learn/session.ts';
import { earlierSessions } from '../../learn/session/earlier-sessions.ts';

/**
 * Returns the sessions of the project and of its history, the newest first.
 *
 * @throws {PawlError} of kind `configuration` if pawl.yaml is missing or wrong
 */
export async function listSessions(options: {
  readonly config?: string;
  readonly onProgress?: OnProgress;
}): Promise<SessionSummary[]> {
  const sessions = await earlierSessions(await loadConfig(options.config), options.onProgress);
  return sessions.map(sessionSummary).toReversed();
}
