import { dirname, join } from 'node:path';

import { findCompiler } from './find-compiler.ts';
import { findProgram } from '../os/find-program.ts';

export type ComputeSanitizerSearch =
  | { readonly status: 'found'; readonly path: string }
  | { readonly status: 'missing'; readonly message: string; readonly hint: string };

/** compute-sanitizer on PATH, or in the CUDA toolkit that nvcc belongs to. */
export async function findComputeSanitizer(env: NodeJS.ProcessEnv): Promise<ComputeSanitizerSearch> {
  const nvcc = await findCompiler('cuda', env);
  const toolkits = [
    env['CUDA_HOME'],
    env['CUDA_PATH'],
    nvcc.status === 'found' ? dirname(dirname(nvcc.path)) : undefined,
    '/usr/local/cuda',
  ].flatMap((folder) => (folder === undefined || folder === '' ? [] : [folder]));
  const candidates = [
    'compute-sanitizer',
    // The second is where the toolkit keeps the program that bin/compute-sanitizer starts.
    ...toolkits.flatMap((folder) => [
      join(folder, 'bin', 'compute-sanitizer'),
      join(folder, 'compute-sanitizer', 'compute-sanitizer'),
    ]),
  ];
  for (const candidate of candidates) {
    const path = await findProgram(candidate, env);
    if (path !== undefined) return { status: 'found', path };
  }
  return {
    status: 'missing',
    message: 'compute-sanitizer is not installed here',
    hint: 'Install the CUDA toolkit with its sanitizer (the package is called cuda-sanitizer-…), or add its folder to PATH.',
  };
}
