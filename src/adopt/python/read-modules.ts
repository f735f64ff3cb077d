import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import type { DraftFile } from '../draft.ts';
import type { Inspector } from './inspect.ts';
import type { Looked } from './inspection.ts';

/** A file and the modules beside it that it imports, to be copied into \`folder\`. */
export async function copiesOf(
  file: string,
  looked: Pick<Looked, 'imports'>,
  folder: string,
  inspector: Inspector,
): Promise<DraftFile[]> {
  const names = new Set([basename(file)]);
  const copies: DraftFile[] = [];
  // What is added meanwhile is come to, too.
  for (const name of names) {
    const path = join(dirname(file), name);
    copies.push({ path: `${folder}/${name}`, text: await readFile(path, 'utf8') });
    const { imports } = name === basename(file) ? looked : await inspector.look(path);
    for (const module of imports) {
      const beside = `${module.split('.')[0]!}.py`;
      const isThere = await stat(join(dirname(file), beside)).then(
        (found) => found.isFile(),
        () => false,
      );
      if (isThere) names.add(beside);
    }
  }
  return copies;
}
