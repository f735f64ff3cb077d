import { createHash, type Hash } from 'node:crypto';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, posix, relative, resolve } from 'node:path';

import { fileFailure } from '../../model/file-failure.ts';
import { PawlError } from '../../model/pawl-error.ts';

/** The files of one candidate. */
export interface CandidateSources {
  /** Absolute, in the order in which they were named. */
  readonly files: readonly string[];
  /** The folder that all of them are in. */
  readonly folder: string;
  /** Of their names and contents. */
  readonly sha256: string;
}

/** No kernel that a person or a program wrote is larger, and none has more files. */
const MOST_BYTES = 32 * 2 ** 20;
const MOST_FILES = 1000;

/** Writes sources into a folder of their own. */
export async function writtenSources(
  files: Readonly<Record<string, string>>,
  folder: string,
): Promise<CandidateSources> {
  const paths = Object.keys(files).map((name) => join(folder, posix.normalize(name)));
  if (paths.length === 0) throw new PawlError('bad-data', 'The candidate has no files.');
  for (const [at, text] of Object.values(files).entries()) {
    await mkdir(dirname(paths[at]!), { recursive: true });
    await writeFile(paths[at]!, text);
  }
  return { ...(await candidateSources(paths)), folder };
}

/** A file, several files, or a folder with all that is in it. */
export async function candidateSources(paths: readonly string[]): Promise<CandidateSources> {
  try {
    const named = await Promise.all(paths.map((path) => filesAt(resolve(path))));
    const files = [...new Set(named.flat())];
    if (files.length === 0) throw new PawlError('bad-data', `${paths.join(', ')} has no files.`);
    if (files.length > MOST_FILES) {
      throw new PawlError('bad-data', `A candidate of ${files.length} files is too large.`);
    }
    const folder = commonFolder(files);
    return { files, folder, sha256: await hashOf(files, folder) };
  } catch (error) {
    throw fileFailure(error) ?? error;
  }
}

/**
 * Sources as they are kept and hashed: under plain names and in one order, so that the same files are the same
 * candidate from any sender.
 *
 * @throws {PawlError} of kind `bad-data` where two names are one place
 */
export function canonicalFiles(files: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(files)
    .map(([name, text]) => [posix.normalize(name), text] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  const names = new Set(entries.map(([name]) => name));
  if (names.size < entries.length)
    throw new PawlError('bad-data', 'Two files of the candidate have the same name.');
  for (const name of names) {
    for (let folder = posix.dirname(name); folder !== '.'; folder = posix.dirname(folder)) {
      if (names.has(folder)) throw new PawlError('bad-data', `${folder} is both a file and a folder.`);
    }
  }
  return Object.fromEntries(entries);
}

/** What `writtenSources` says of the same texts, without writing them. */
export function textsHash(files: Readonly<Record<string, string>>): string {
  const paths = Object.keys(files).map((name) => resolve('/', name));
  const folder = commonFolder(paths);
  const hash = createHash('sha256');
  for (const [at, text] of Object.values(files).entries()) addFile(hash, relative(folder, paths[at]!), text);
  return hash.digest('hex');
}

async function filesAt(path: string): Promise<string[]> {
  if (!(await stat(path)).isDirectory()) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !isHidden(relative(path, join(entry.parentPath, entry.name))))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** What editors, version control and Python leave beside sources. */
function isHidden(path: string): boolean {
  return path.split('/').some((part) => part.startsWith('.') || part === '__pycache__');
}

function commonFolder(files: readonly string[]): string {
  let folder = dirname(files[0]!);
  while (files.some((file) => relative(folder, file).startsWith('..'))) folder = dirname(folder);
  return folder;
}

async function hashOf(files: readonly string[], folder: string): Promise<string> {
  const hash = createHash('sha256');
  let bytes = 0;
  for (const file of files) {
    const { size } = await stat(file);
    bytes += size;
    if (bytes > MOST_BYTES) {
      throw new PawlError('bad-data', `${basename(file)}: a candidate of more than ${MOST_BYTES} bytes.`);
    }
    addFile(hash, relative(folder, file), await readFile(file));
  }
  return hash.digest('hex');
}

function addFile(hash: Hash, name: string, contents: Buffer | string): void {
  hash.update(JSON.stringify([name, Buffer.byteLength(contents)])).update(contents);
}
