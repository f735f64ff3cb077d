import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** `file:///…/dist/cli/history-1a2b.js:1:2345`, as V8 writes places in a stack. */
const PLACE = /(file:\/\/[^\s)]+?\.js):(\d+):(\d+)/g;

/**
 * A stack of the bundled command line with the places of the sources that it was made from: `src/cli/history.ts:90:12`.
 * Node could do this by itself, but then would read every map whenever Pawl starts. What has no map stays as it is.
 */
export function sourcePlaces(stack: string): string {
  const maps = new Map<string, SourceMap | undefined>();
  return stack.replaceAll(PLACE, (place, url: string, line: string, column: string) => {
    if (!maps.has(url)) maps.set(url, mapOf(url));
    // Both are counted from 0 in a map and from 1 in a stack.
    const entry = maps.get(url)?.findEntry(Number(line) - 1, Number(column) - 1);
    if (entry === undefined || !('originalSource' in entry)) return place;
    const source = resolve(dirname(fileURLToPath(url)), entry.originalSource);
    const root = resolve(dirname(fileURLToPath(url)), '../..');
    return `${relative(root, source)}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  });
}

function mapOf(url: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${fileURLToPath(url)}.map`, 'utf8')) as SourceMapPayload);
  } catch {
    return undefined;
  }
}
