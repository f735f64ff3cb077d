import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { buildRunners, candidateJob, runnerJob } from '../../src/build/runner-recipes.ts';
import { sanitizedJob } from '../../src/build/sanitized-job.ts';
import type { CpuSanitizer } from '../../src/model/sanitizer.ts';

const SOURCES = 'runner/src';

/** Compiles C++ with the runner's headers at hand. */
export async function compile(args: readonly string[]): Promise<void> {
  const flags = ['-std=c++17', '-Irunner/include', `-I${SOURCES}`, '-Wall', '-Wextra', '-Werror'];
  await promisify(execFile)('g++', [...flags, ...args]);
}

export async function compileLibrary(
  source: string,
  output: string,
  flags: readonly string[] = [],
): Promise<string> {
  await compile(['-shared', '-fPIC', ...flags, source, '-pthread', '-o', output]);
  return output;
}

/** The native runner as Pawl builds it and keeps it, plain or with the sanitizers of `pawl fuzz --sanitize`. */
export async function builtRunner(sanitizers: readonly CpuSanitizer[] = []): Promise<string> {
  const plain = runnerJob('cpu');
  const [outcome] = await buildRunners([sanitizers.length === 0 ? plain : sanitizedJob(plain, sanitizers)]);
  if (outcome === undefined || !('artifact' in outcome)) throw new Error(JSON.stringify(outcome));
  return outcome.artifact;
}

/** The judge, and how it starts a process for Python. */
export async function builtForPython(): Promise<{
  readonly command: string;
  readonly args: readonly string[];
  readonly candidate: { readonly command: readonly string[] };
}> {
  const [outcome] = await buildRunners([candidateJob('cpu')]);
  if (outcome === undefined || !('artifact' in outcome)) throw new Error(JSON.stringify(outcome));
  const program = join(import.meta.dirname, '../../runner/python/pawl_candidate');
  const { stdout: python } = await promisify(execFile)('python3', [
    '-c',
    'import sys; print(sys.executable)',
  ]);
  return {
    command: await builtRunner(),
    args: [],
    candidate: { command: [python.trim(), '-B', '-u', '-X', 'utf8', program, outcome.artifact] },
  };
}

/** The sources of the judge without CUDA. */
export async function runnerSources(): Promise<string[]> {
  const inFolders = ['', 'candidate', 'cpu', 'sandbox', 'watch']
    .map((name) => join(SOURCES, name))
    .map(async (folder) =>
      (await readdir(folder))
        .filter((name) => name.endsWith('.cpp') && name !== 'hooked_kernel.cpp')
        .map((name) => join(folder, name)),
    );
  return (await Promise.all(inFolders)).flat();
}

/** Another program on top of the runner's parts. */
export async function compileDriver(main: string, output: string): Promise<string> {
  const parts = (await runnerSources()).filter((source) => !source.endsWith('/main.cpp'));
  await compile([main, ...parts, '-pthread', '-ldl', '-o', output]);
  return output;
}
