/**
 * Kernels of bench/h200/lines as ncu 2025.3.1 exported them on an H200, with their compiled code; `faulty` has the
 * fault, `mended` is as it should have been.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { packageRoot } from '../../../src/build/package-root.ts';
import type { HotLines } from '../../../src/model/profile/hot-lines.ts';
import type { CapturedLines } from '../../../src/profile/lines/code-lines.ts';
import { capturedLines } from '../../../src/profile/lines/captured-lines.ts';
import { hotLines } from '../../../src/profile/lines/hot-lines.ts';
import { cubinResources } from '../../../src/profile/lines/cubin-resources.ts';
import { readLineTable } from '../../../src/profile/lines/line-table.ts';
import { readDisassembly, staticLines } from '../../../src/profile/lines/static-lines.ts';
import { staticResources } from '../../../src/profile/lines/static-occupancy.ts';
import { SourceFiles } from '../../../src/profile/lines/source-text.ts';

export type Version = 'faulty' | 'mended';

const FOLDER = join(packageRoot(), 'test', 'fixtures', 'lines');

export function unpacked(version: Version, name: string): Buffer {
  return gunzipSync(readFileSync(join(FOLDER, version, `${name}.gz`)));
}

export function sourcesOf(version: Version): SourceFiles {
  return new SourceFiles(join(FOLDER, version));
}

export function captured(version: Version, name: string): CapturedLines {
  const page = unpacked(version, `${name}.source.csv`).toString('utf8');
  return capturedLines(page, [unpacked(version, `${name}.cubin`)])[0]!;
}

export function hot(version: Version, name: string): HotLines {
  const { table, lines } = captured(version, name);
  return hotLines(table, lines, sourcesOf(version));
}

/** The same from the compiled code alone, as where nothing can be counted. */
export function compiled(): HotLines {
  const kernel = '_Z7plantedPKfPfi';
  const cubin = unpacked('faulty', 'header-row-sum.cubin');
  const text = unpacked('faulty', 'header-row-sum.nvdisasm.txt').toString('utf8');
  const table = readDisassembly(text).find((one) => one.kernel === kernel)!;
  const lines = staticLines(table, readLineTable(cubin).get(kernel), sourcesOf('faulty'));
  const resources = staticResources('sm_90', cubinResources(cubin).get(kernel)!, { threads: 256 });
  return { ...lines, resources };
}
