import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';

import type { LoadedConfig } from '../../config/load-config.ts';
import { planKernel } from '../../config/plan-kernel.ts';

/** The kernel's own files with their texts, as lessons look at them. */
export async function kernelSources(
  loaded: LoadedConfig,
  kernel: string,
): Promise<{ readonly file: string; readonly text: string }[]> {
  const { sources, module } = planKernel(loaded, kernel);
  const paths = [...sources, ...(module === undefined ? [] : [module])];
  return Promise.all(
    paths.map(async (path) => ({ file: relative(loaded.root, path), text: await readFile(path, 'utf8') })),
  );
}
