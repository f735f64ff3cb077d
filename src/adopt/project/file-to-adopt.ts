import { readdir, stat } from 'node:fs/promises';
import { extname, join, resolve } from 'node:path';

import { fileFailure } from '../../model/file-failure.ts';
import type { Entrance } from '../../model/reports/adopt-report.ts';
import { PawlError } from '../../model/pawl-error.ts';

type FileKind = Extract<Entrance, 'c' | 'cuda' | 'python' | 'gpumode' | 'flashinfer'>;

/** What a file is by its name. */
const BY_EXTENSION: Readonly<Record<string, FileKind>> = {
  '.c': 'c',
  '.cc': 'c',
  '.cpp': 'c',
  '.cxx': 'c',
  '.h': 'c',
  '.hpp': 'c',
  '.cu': 'cuda',
  '.cuh': 'cuda',
  '.py': 'python',
  '.yml': 'gpumode',
  '.yaml': 'gpumode',
  '.json': 'flashinfer',
};

/** Files that say what a folder is. */
const OF_FOLDER = ['task.yml', 'definition.json'];

export function entranceOf(file: string): FileKind {
  const entrance = BY_EXTENSION[extname(file)];
  if (entrance === undefined) {
    throw new PawlError(
      'bad-data',
      `${file} is not a file that can be adopted.`,
      `Pawl adopts ${Object.keys(BY_EXTENSION).join(', ')}.`,
    );
  }
  return entrance;
}

/** Data files stand beside code of all kinds, so a folder is not searched for them. */
function isCode(name: string): boolean {
  const entrance = BY_EXTENSION[extname(name)];
  return entrance !== undefined && entrance !== 'gpumode' && entrance !== 'flashinfer';
}

/** The file itself, or the only one in a folder that can be adopted. */
export async function fileToAdopt(path: string): Promise<string> {
  const whole = resolve(path);
  try {
    const found = await stat(whole);
    if (found.isFile()) return whole;
    if (!found.isDirectory()) throw new PawlError('bad-data', `${path} is neither a file nor a folder.`);
    const entries = await readdir(whole, { withFileTypes: true });
    const known = OF_FOLDER.find((name) => entries.some((entry) => entry.isFile() && entry.name === name));
    if (known !== undefined) return join(whole, known);
    const names = entries
      .filter((entry) => entry.isFile() && isCode(entry.name) && !entry.name.startsWith('pawl_'))
      .map(({ name }) => name)
      .sort();
    const [only, ...others] = names;
    if (only === undefined) {
      throw new PawlError(
        'bad-data',
        `${path} has no file that can be adopted.`,
        `Pawl adopts ${Object.keys(BY_EXTENSION).join(', ')}.`,
      );
    }
    if (others.length > 0) {
      throw new PawlError(
        'usage',
        `${path} has ${names.length} files that can be adopted: name one.`,
        names.join(', '),
      );
    }
    return join(whole, only);
  } catch (error) {
    throw fileFailure(error) ?? error;
  }
}
