import { readFile } from 'node:fs/promises';

import { writeDurably } from '../../os/write-durably.ts';
import { PawlError } from '../../model/pawl-error.ts';
import type { Try } from '../../model/learn/session.ts';
import { withTunableDefaults } from '../../tune/study/yaml-defaults.ts';
import type { OpenSession } from './open-session.ts';
import { stateRef } from './session-states.ts';
import type { Snapshots } from './snapshots.ts';

/**
 * The state that a kept try leaves, as a commit. Tunables that it set become defaults in pawl.yaml, so that the files
 * are what was measured.
 */
export async function keepState(opened: OpenSession, snapshots: Snapshots, one: Try): Promise<string> {
  const { head, variant } = one.change;
  if (head === undefined) throw new Error('a try has its state');
  if (variant === undefined) return head;
  const { path } = opened.loaded;
  const { kernel, id } = opened.session;
  await writeDurably(path, withTunableDefaults(await readFile(path, 'utf8'), kernel, variant));
  const state = await snapshots.take(`Pawl session ${id}: try ${one.number} kept`);
  await snapshots.keep(stateRef(id, `${one.number}-kept`), state);
  return state;
}

/**
 * Puts back the files that a try touched. What they are now is kept first, under a ref of its own where it is not the
 * try's own state: no work is lost.
 *
 * @returns the files
 */
export async function revertState(
  opened: OpenSession,
  snapshots: Snapshots,
  one: Try,
): Promise<readonly string[]> {
  const { head, files } = one.change;
  const { id } = opened.session;
  const current = await snapshots.take(`Pawl session ${id}: before try ${one.number} was taken back`);
  if (head === undefined || !(await snapshots.isSame(current, head))) {
    await snapshots.keep(stateRef(id, `${one.number}-before-revert`), current);
  }
  await snapshots.restore(opened.kept, files);
  return files;
}

/** The last try, where it is not kept: what it changed can be taken back. */
export function tryToRevert({ session }: OpenSession): Try {
  const last = session.tries.at(-1);
  if (last !== undefined && last.outcome !== undefined && last.kept !== true) return last;
  throw new PawlError(
    'usage',
    last === undefined ? 'There is no try to revert.' : `Try ${last.number} is kept.`,
    'Revert a kept try with git: its states are under refs/pawl/sessions/.',
  );
}
