import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { fileFailure } from '../model/file-failure.ts';
import { makeFolder } from '../os/make-folder.ts';

const IGNORED = '.pawl/';

/** Whether .gitignore had to be written. Results of runs are not for the repository. */
export async function ignoreResults(root: string): Promise<boolean> {
  const path = join(root, '.gitignore');
  const text = (await readIfThere(path)) ?? '';
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  if (['.pawl', '.pawl/', '/.pawl', '/.pawl/'].some((line) => lines.includes(line))) return false;
  const separator = text === '' || text.endsWith('\n') ? '' : '\n';
  await write(path, `${text}${separator}${IGNORED}\n`);
  return true;
}

export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw fileFailure(error) ?? error;
  }
}

export async function write(path: string, text: string): Promise<void> {
  try {
    await makeFolder(dirname(path));
    await writeFile(path, text);
  } catch (error) {
    throw fileFailure(error) ?? error;
  }
}
