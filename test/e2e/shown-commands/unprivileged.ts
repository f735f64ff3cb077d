import { lchownSync, mkdirSync } from 'node:fs';
import process from 'node:process';

import { makeHome } from './projects.ts';
import { runShell, type Place } from './run-shown.ts';

/** nobody, on Debian and elsewhere. */
const ID = 65_534;
/** Kept from run to run, as those of root are (docs/testing.md): root's are in a home that others cannot read. */
const CACHE = `/var/tmp/pawl-tests-${ID}`;

/** A home of a user without rights, or why there is none. */
export async function unprivilegedHome(): Promise<Place | { readonly why: string }> {
  if (process.getuid?.() !== 0) return { why: 'the tests run without privileges already' };
  const home = await makeHome();
  mkdirSync(CACHE, { recursive: true, mode: 0o700 });
  // Not what a link in a folder of everybody's leads to.
  for (const folder of [home, CACHE]) lchownSync(folder, ID, ID);
  const place: Place = { home, folder: home, project: 'home', user: ID, env: { PAWL_CACHE_DIR: CACHE } };
  const { code, stderr } = await runShell('pawl --version', place).catch((error: Error) => ({
    code: 1,
    stderr: error.message,
  }));
  return code === 0 ? place : { why: `another user cannot run this checkout: ${stderr}` };
}
