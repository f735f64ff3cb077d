import { relative, resolve, sep } from 'node:path';

import { PawlError } from '../model/pawl-error.ts';
import { isBelow, realPathBelow } from '../os/below-folder.ts';

/**
 * The absolute path of a file of the project. What a client names must be there and, links followed, lie below the
 * root: an assistant can be talked into naming anything.
 *
 * @param root the project's folder, without links in it
 */
export async function insideProject(root: string, path: string): Promise<string> {
  if (path.includes('\0') || !isBelow(root, resolve(root, path))) throw outside(path);
  const real = await realPathBelow(root, resolve(root, path)).catch(() => {
    throw new PawlError('usage', `There is no file "${path}" in the project.`, BY_ROOT);
  });
  if (real === undefined) throw outside(path);
  return real;
}

/** As an assistant is told of a file; a file elsewhere is named by its last part only. */
export function fromRoot(root: string, path: string): string {
  const absolute = resolve(root, path);
  return isBelow(root, absolute) ? relative(root, absolute) || '.' : `…/${absolute.split(sep).at(-1)}`;
}

/** The same of files that were written, by what they are. */
export function filesFromRoot(root: string, files: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(files).map(([what, path]) => [what, fromRoot(root, String(path))]),
  );
}

const BY_ROOT = 'Paths are relative to the folder of pawl.yaml.';

function outside(path: string): PawlError {
  return new PawlError('permission', `"${path}" is outside the project.`, BY_ROOT);
}
