import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';

import { readSource, type RawSource, type ReadSource } from '../../src/adapters/readers/read-source.ts';

/** A file of another tool with what lies beside it, all in memory. */
export interface FuzzFile {
  readonly name: string;
  readonly bytes: Buffer;
  readonly beside: ReadonlyMap<string, Buffer>;
}

const READ = /(?:\.json|\.csv)$/u;
/** Read beside Criterion's samples, not by themselves. */
const PARTS = new Set(['benchmark.json', 'estimates.json']);

export function adapterCorpus(folder: string): FuzzFile[] {
  return filesBelow(folder)
    .filter((path) => READ.test(path) && !PARTS.has(basename(path)))
    .map((path) => ({
      name: relative(folder, path),
      bytes: readFileSync(path),
      beside: new Map(
        filesBelow(dirname(path))
          .filter((other) => other !== path)
          .map((other) => [relative(dirname(path), other), readFileSync(other)]),
      ),
    }));
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => resolve(join(entry.parentPath, entry.name)))
    .toSorted();
}

/** As `pawl import FILE --unit ms` reads it. */
export function readFuzzFile({ name, bytes, beside }: FuzzFile): ReadSource {
  const source: RawSource = { name, bytes, beside: (path) => beside.get(path) };
  return readSource(source, { from: 'auto', unit: 'ms' });
}
