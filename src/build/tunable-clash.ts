import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

import { define } from './compile-commands.ts';
import type { BuildFailure, BuildJob } from './build-job.ts';

/** What stands before a name that is declared: of a template parameter, a variable or a parameter of a function. */
const DECLARES = String.raw`\b(?:bool|char|short|int|long|unsigned|signed|float|double|auto|size_t|u?int\d+_t|typename|class)\s+(?:const\s+)?`;

/** `src/gemm.cuh:12:20: error: …` and nvcc's `src/gemm.cuh(12): error: …`. */
const NAMED_FILE = /^(?:In file included from )?([^\s:(]+)[:(]\d+/gmu;

/** Headers that a compiler complains about, at most: a hint is not worth a search. */
const MOST_FILES = 20;

/**
 * A failure with what is likely behind it: a tunable is a macro (`-DBM=64`), so `template <int BM>` reads
 * `template <int 64>`, and no compiler says why. Other failures stay as they are.
 */
export async function withTunableHint(
  failed: BuildFailure,
  { sources, defines }: BuildJob,
  root: string,
): Promise<BuildFailure> {
  const names = Object.keys(defines);
  if (failed.reason !== 'compile-error' || names.length === 0) return failed;
  const complained = [...failed.log.matchAll(NAMED_FILE)].map(([, file = '']) => file);
  const files = [...new Set([...sources, ...complained.map((file) => resolve(root, file))])];
  const pattern = new RegExp(`${DECLARES}(${names.join('|')})\\b`, 'u');
  for (const file of files.slice(0, MOST_FILES)) {
    const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n');
    const at = lines.findIndex((line) => pattern.test(line));
    const name = pattern.exec(lines[at] ?? '')?.[1];
    if (name === undefined) continue;
    const shown = file.startsWith(`${root}/`) ? file.slice(root.length + 1) : file;
    const hint =
      `${name} is a tunable, and tunables are macros (${define(name, defines[name]!)}): ` +
      `no template parameter or variable can have that name, as in ${shown}:${at + 1}. ` +
      `Rename the tunable in pawl.yaml (say, TILE_${name}) and pass it on (kernel<TILE_${name}>), or rename the parameter.`;
    return { ...failed, hint };
  }
  return failed;
}
