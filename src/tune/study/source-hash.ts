import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';

/**
 * A hash of source files and of the project's headers that they include by quoted name, however deep. A header that a
 * macro names, or that is found nowhere, is not seen: the build's own key covers those when they are compiled.
 */
export async function sourceHash(
  root: string,
  sources: readonly string[],
  includeDirs: readonly string[],
): Promise<string> {
  const texts = new Map<string, string>();
  const pending = [...sources];
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    if (texts.has(path)) continue;
    const text = await textOf(path);
    if (text === undefined) continue;
    texts.set(path, text);
    for (const [, name] of text.matchAll(/^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"/gm)) {
      pending.push(...[dirname(path), ...includeDirs].map((folder) => resolve(folder, name!)));
    }
  }
  const hash = createHash('sha256');
  for (const [path, text] of [...texts].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    hash.update(JSON.stringify([relative(root, path), text]));
  }
  return hash.digest('hex');
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR') return undefined;
    throw error;
  }
}
