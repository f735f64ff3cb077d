import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { findProgram } from '../../os/find-program.ts';

/** Where NVIDIA's installers put toolkits and Nsight Compute by itself; neither adds its folder to PATH. */
const TOOLKITS = '/usr/local';
const NSIGHT = '/opt/nvidia/nsight-compute';

/** ncu: the one that PAWL_NCU names and no other, or the first on PATH, in $CUDA_HOME, in a toolkit. */
export async function findNcu(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const chosen = env['PAWL_NCU'];
  if (chosen !== undefined && chosen !== '') return findProgram(chosen, env);
  const homes = [env['CUDA_HOME'], env['CUDA_PATH'], join(TOOLKITS, 'cuda')];
  const candidates = [
    'ncu',
    ...homes.flatMap((home) => (home === undefined || home === '' ? [] : [join(home, 'bin', 'ncu')])),
    ...(await newestFirst(TOOLKITS, /^cuda-\d/)).map((folder) => join(folder, 'bin', 'ncu')),
    ...(await newestFirst(NSIGHT, /^\d/)).map((folder) => join(folder, 'ncu')),
  ];
  for (const candidate of candidates) {
    const path = await findProgram(candidate, env);
    if (path !== undefined) return path;
  }
  return undefined;
}

async function newestFirst(folder: string, name: RegExp): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((each) => name.test(each))
    .toSorted((one, other) => other.localeCompare(one, 'en', { numeric: true }))
    .map((each) => join(folder, each));
}
