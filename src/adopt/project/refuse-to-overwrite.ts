import { join } from 'node:path';

import type { DraftFile } from '../draft.ts';
import { PawlError } from '../../model/pawl-error.ts';
import { readIfThere } from '../../scaffold/project-folder.ts';

/**
 * The files that are there already with the same text.
 *
 * @throws {PawlError} before anything is written, where another file is in the way and `--force` is not given
 */
export async function refuseToOverwrite(
  root: string,
  files: readonly DraftFile[],
  force: boolean,
): Promise<ReadonlySet<string>> {
  const found = await Promise.all(
    files.map(async ({ path, text }) => ({ path, text, there: await readIfThere(join(root, path)) })),
  );
  const others = found.filter(({ text, there }) => there !== undefined && there !== text);
  if (others.length > 0 && !force) {
    const names = others.map(({ path }) => path).join(', ');
    throw new PawlError(
      'usage',
      `${names} ${others.length === 1 ? 'is' : 'are'} already in ${root}.`,
      'Choose another folder with --out, or overwrite with --force.',
    );
  }
  return new Set(found.filter(({ text, there }) => there === text).map(({ path }) => path));
}
