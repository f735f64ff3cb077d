import { constants } from 'node:fs';
import { access, lstat, mkdir } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';

import { makeFolder } from '../os/make-folder.ts';
import { PawlError } from '../model/pawl-error.ts';

/** Where a project's builds are kept: below the project, or below PAWL_CACHE_DIR. */
export function projectCacheDir(root: string, env: NodeJS.ProcessEnv): string {
  return join(chosenCache(env) ?? join(root, '.pawl', 'cache'), 'build');
}

/** Where Pawl's own programs are kept, one place a user: below PAWL_CACHE_DIR, or the XDG cache folder. */
export async function userCacheDir(env: NodeJS.ProcessEnv): Promise<string> {
  const chosen = chosenCache(env);
  if (chosen !== undefined) return join(chosen, 'build');
  const xdg = env.XDG_CACHE_HOME;
  const home = env.HOME ?? homedir();
  const base = xdg !== undefined && isAbsolute(xdg) ? xdg : join(home, '.cache');
  if (isAbsolute(base) && (await isWritable(join(base, 'pawl')))) return join(base, 'pawl', 'build');
  return join(await temporaryCache(), 'build');
}

/** Where the measured ceilings of this user's devices are kept, beside Pawl's own programs. */
export async function calibrationDir(env: NodeJS.ProcessEnv): Promise<string> {
  return join(dirname(await userCacheDir(env)), 'calibration');
}

function chosenCache(env: NodeJS.ProcessEnv): string | undefined {
  const chosen = env.PAWL_CACHE_DIR;
  return chosen === undefined || chosen === '' ? undefined : resolve(chosen);
}

async function isWritable(folder: string): Promise<boolean> {
  try {
    await makeFolder(folder);
    await access(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Others can write to the temporary folder: what is not ours alone may hold programs that are not ours. */
async function temporaryCache(): Promise<string> {
  const uid = process.getuid?.() ?? 0;
  const folder = join(tmpdir(), `pawl-${uid}`);
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  const { uid: owner, mode } = await lstat(folder);
  if (owner === uid && (mode & 0o022) === 0 && (mode & constants.S_IFMT) === constants.S_IFDIR) return folder;
  throw new PawlError(
    'permission',
    `${folder} is not a folder that belongs to this user alone.`,
    'Remove it, or set PAWL_CACHE_DIR to a folder of your own.',
  );
}
