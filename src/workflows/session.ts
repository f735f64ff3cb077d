/** Sessions: what `pawl session` and the MCP server call. docs/sessions.md tells what they do. */
import { loadConfig } from '../config/load-config.ts';
import { PawlError } from '../model/pawl-error.ts';
import type { Session } from '../model/learn/session.ts';
import { findAuthor } from '../ratchet/author.ts';
import { earlierSessions } from '../learn/session/earlier-sessions.ts';
import { sessionReport } from './session/end-session.ts';
import { revertState, tryToRevert } from '../learn/session/keep-state.ts';
import { changeSession, OpenSession, workOnSession } from '../learn/session/open-session.ts';
import type { SessionTarget, Working } from '../learn/session/session-options.ts';
import { openSnapshots } from '../learn/session/session-states.ts';

export { STOPPING_FLAGS } from '../learn/session/flags-of-try.ts';
export { annotateSession } from '../learn/session/annotate-session.ts';
export { endSession } from './session/end-session.ts';
export { listSessions } from './session/list-sessions.ts';
export { exportSession } from '../learn/session/export-session.ts';
export { overrideGate } from './session/override-gate.ts';
export { evaluateGates } from './session/run-gates.ts';
export { startSession } from './session/start-session.ts';
export { tryChange } from './session/try-change.ts';

/**
 * Returns the session with the given id, or the latest that has not ended.
 *
 * @throws {PawlError} of kind `usage` if there is no such session, or none is open
 */
export async function sessionStatus(options: SessionTarget): Promise<Session> {
  const known = await knownElsewhere(options);
  return known ?? (await OpenSession.open(options)).session;
}

async function knownElsewhere({ config, session }: SessionTarget): Promise<Session | undefined> {
  if (session === undefined) return undefined;
  const sessions = await earlierSessions(await loadConfig(config));
  return sessions.find(({ id }) => id === session);
}

/**
 * Returns the report of a session in Markdown, at any time.
 *
 * @throws {PawlError} of kind `usage` if there is no such session
 */
export async function reportOnSession(options: SessionTarget): Promise<string> {
  return sessionReport(await loadConfig(options.config), await sessionStatus(options));
}

/**
 * Adds a note to a session, or to one of its tries what that taught.
 *
 * @throws {PawlError} of kind `usage` if no session is open, the text is empty, or there is no such try
 */
export async function noteInSession(
  options: SessionTarget & Working & { readonly text: string; readonly by?: string; readonly try?: number },
): Promise<Session> {
  return changeSession(options, async (opened) => {
    const text = options.text.trim();
    if (text === '') throw new PawlError('usage', 'The note is empty.');
    const number = options.try;
    if (number === undefined) {
      return opened.add({
        type: 'noted',
        text,
        by: options.by ?? (await findAuthor(opened.loaded.root, options.env)),
      });
    }
    if (!opened.session.tries.some((each) => each.number === number)) {
      throw new PawlError(
        'usage',
        `This session has no try ${number}.`,
        `It has ${opened.session.tries.length}: \`pawl session status\` lists them.`,
      );
    }
    return opened.add({ type: 'learnt', number, text });
  });
}

/**
 * Restores the files that the last try changed, if it was not kept. The state before is kept under a git ref.
 *
 * @throws {PawlError} of kind `usage` if there is no try to revert
 */
export async function revertTry(
  options: SessionTarget & Working,
): Promise<{ readonly session: Session; readonly files: readonly string[] }> {
  return workOnSession(options, 'pawl session revert', async (opened) => {
    const one = tryToRevert(opened);
    const files = await revertState(opened, await openSnapshots(opened.loaded, options.signal), one);
    await opened.add({ type: 'noted', text: `try ${one.number} was reverted` });
    return { session: opened.session, files };
  });
}
