import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';

import { writeDurably } from '../../os/write-durably.ts';
import { PawlError } from '../../model/pawl-error.ts';
import type { Session } from '../../model/learn/session.ts';
import { OpenSession } from './open-session.ts';
import type { SessionTarget } from './session-options.ts';

/**
 * Writes a session to a file that an expert can annotate.
 *
 * @throws {PawlError} of kind `usage` if no session is open, or the file exists
 */
export async function exportSession(
  options: SessionTarget & { readonly out: string },
): Promise<{ readonly session: Session; readonly file: string }> {
  const { session } = await OpenSession.open(options);
  const file = resolve(options.out);
  if ((await stat(file).catch(() => undefined)) !== undefined) {
    throw new PawlError('usage', `${options.out} already exists.`, 'Choose another file, or remove it.');
  }
  await writeDurably(file, `${JSON.stringify(session, undefined, 2)}\n`);
  return { session, file };
}
