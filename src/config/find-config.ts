import { readFile, stat } from 'node:fs/promises';
import { join, dirname, relative, resolve } from 'node:path';

import { ownHint, PawlError } from '../model/pawl-error.ts';

export const CONFIG_FILE = 'pawl.yaml';

/** Far above any file a person writes. */
const MAX_BYTES = 1_000_000;

const INIT_HINT = ownHint(
  '`pawl init` writes one with an example kernel; `--config FILE` uses another.',
  'init',
);

/** The pawl.yaml that is meant: `path` or the one in that folder; by default the nearest one at or above `cwd`. */
export function configFile(path: string | undefined, cwd: string): Promise<string> {
  return path === undefined ? nearestFile(cwd) : fileAt(resolve(cwd, path));
}

/** The nearest pawl.yaml at or above a folder. */
export async function findConfig(cwd: string): Promise<string | undefined> {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const file = join(folder, CONFIG_FILE);
    if ((await statOf(file))?.isFile() === true) return file;
    if (folder === dirname(folder)) return undefined;
  }
}

async function nearestFile(cwd: string): Promise<string> {
  const file = await findConfig(cwd);
  if (file !== undefined) return file;
  throw new PawlError('configuration', `No ${CONFIG_FILE} in ${resolve(cwd)} or above it.`, INIT_HINT);
}

async function fileAt(path: string): Promise<string> {
  const found = await statOf(path);
  const file = found?.isDirectory() === true ? join(path, CONFIG_FILE) : path;
  if ((await statOf(file)) === undefined) {
    throw new PawlError('configuration', `There is no ${file}.`, INIT_HINT);
  }
  return file;
}

async function statOf(path: string): Promise<Awaited<ReturnType<typeof stat>> | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    if (code === 'EACCES') throw new PawlError('permission', `${path} cannot be reached: permission denied.`);
    throw error;
  }
}

export async function readConfigText(file: string, label: string): Promise<string> {
  const found = await statOf(file);
  if (found?.isFile() !== true) throw new PawlError('configuration', `${label} is not a file.`, INIT_HINT);
  if (found.size > MAX_BYTES) {
    throw new PawlError('configuration', `${label} has ${found.size} bytes; at most ${MAX_BYTES} are read.`);
  }
  let bytes: Uint8Array;
  try {
    bytes = await readFile(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error;
    throw new PawlError('permission', `${label} cannot be read: permission denied.`);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new PawlError('configuration', `${label} is not UTF-8 text.`, 'Save it as UTF-8.');
  }
}

/** Relative where that is shorter to read, as editors and terminals make such places clickable. */
export function configLabel(file: string, cwd: string): string {
  const label = relative(resolve(cwd), file);
  return label.startsWith('..') ? file : label;
}
