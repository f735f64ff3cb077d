/**
 * Which files of a project a C, C++ or CUDA file includes, found by reading: for a source that cannot be compiled here.
 * Conditions and macros are not looked at, so there may be too many; a compiler's own list is exact.
 */
import { readFile } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { isFile } from './is-file.ts';

/** The files themselves and all that they reach within `top`, absolute and sorted. */
export async function includeFiles(
  sources: readonly string[],
  { includeDirs, top }: { readonly includeDirs: readonly string[]; readonly top: string },
): Promise<string[]> {
  const found = new Set(sources);
  const open = [...sources];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    const text = await readFile(file, 'utf8').catch(() => '');
    for (const [, name = ''] of text.matchAll(
      /^\s*#\s*(?:include|include_next|embed)\s*[<"]([^>"\n]+)[>"]/gmu,
    )) {
      for (const folder of [dirname(file), ...includeDirs]) {
        const path = join(folder, name);
        if (found.has(path) || !path.startsWith(`${top}${sep}`) || !(await isFile(path))) continue;
        found.add(path);
        open.push(path);
      }
    }
  }
  return [...found].toSorted();
}
