import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, posix, relative, resolve } from 'node:path';

import { fileFailure } from '../../../model/file-failure.ts';
import { PawlError } from '../../../model/pawl-error.ts';

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
    if (files.length === 0) throw new PawlError('bad-data', `${paths.join(', ')} has no file in it.`);
    if (files.length > MOST_FILES) {
      throw new PawlError('bad-data', `A candidate of ${files.length} files is not read.`);
    }
    const folder = commonFolder(files);
    return { files, folder, sha256: await hashOf(files, folder) };
  } catch (error) {
    throw fileFailure(error) ?? error;
  }
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
    const contents = await readFile(file);
    hash.update(JSON.stringify([relative(folder, file), contents.length])).update(contents);
  }
  return hash.digest('hex');
}
