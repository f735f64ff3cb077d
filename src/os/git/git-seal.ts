import { createHash } from 'node:crypto';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { askGit } from './run-git.ts';
import { PawlError } from '../../model/pawl-error.ts';

/** What of a repository decides which programs git runs and what history it shows, by path and hash. */
export interface GitSeal {
  readonly folder: string;
  readonly files: ReadonlyMap<string, string>;
}

/** Below the git folder; a folder stands for all that is in it. */
const SEALED = [
  'config',
  'config.worktree',
  'hooks',
  'info/attributes',
  'info/grafts',
  'objects/info/alternates',
  'refs/replace',
  'shallow',
];

/** Taken before code of a change runs. Undefined where there is no repository. */
export async function sealGit(root: string): Promise<GitSeal | undefined> {
  const found = await askGit(root, ['rev-parse', '--git-common-dir']);
  if (found === undefined) return undefined;
  const folder = resolve(root, found);
  const files = new Map<string, string>();
  for (const name of SEALED) await addTo(files, folder, name);
  return { folder, files };
}

/** @throws {PawlError} where something of it was written since the seal was taken */
export async function checkSeal(seal: GitSeal | undefined): Promise<void> {
  if (seal === undefined) return;
  const now = new Map<string, string>();
  for (const name of SEALED) await addTo(now, seal.folder, name);
  const names = new Set([...seal.files.keys(), ...now.keys()]);
  const changed = [...names].filter((name) => seal.files.get(name) !== now.get(name)).sort();
  const [first] = changed;
  if (first === undefined) return;
  const more = changed.length === 1 ? '' : ` and ${changed.length - 1} more`;
  throw new PawlError(
    'permission',
    `.git/${first}${more} changed while kernels ran: the run is not trusted.`,
    'Check what the change builds and runs, check out the repository again, and run again.',
  );
}

async function addTo(files: Map<string, string>, folder: string, name: string): Promise<void> {
  const path = join(folder, name);
  try {
    const text = await readFile(path);
    // A link to the same text is another file: it can be changed from elsewhere.
    const target = await readlink(path).catch(() => '');
    files.set(name, createHash('sha256').update(`${target}\0`).update(text).digest('hex'));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EISDIR') {
      for (const each of await readdir(path)) await addTo(files, folder, `${name}/${each}`);
    } else if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error;
  }
}
