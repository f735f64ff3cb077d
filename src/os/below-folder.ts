import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, sep } from 'node:path';

/** Whether an absolute path is the folder or lies in it, by its letters alone. */
export function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return !isAbsolute(way) && way !== '..' && !way.startsWith(`..${sep}`);
}

/**
 * The path without links in it; undefined where that leads out of the folder.
 *
 * @param folder without links in it
 * @throws as `realpath` does where nothing is there
 */
export async function realPathBelow(folder: string, path: string): Promise<string | undefined> {
  const real = await realpath(path);
  return isBelow(folder, real) ? real : undefined;
}
