import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { buildRunners, runnerJob } from '../../src/build/runner-recipes.ts';
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

/** The sources of the native runner without CUDA. */
export async function runnerSources(): Promise<string[]> {
  const inFolders = ['', 'candidate', 'cpu', 'sandbox', 'watch'].map((name) => join(SOURCES, name)).map(async (folder) =>
    (await readdir(folder)).filter((name) => name.endsWith('.cpp')).map((name) => join(folder, name)),
  );
  return (await Promise.all(inFolders)).flat();
}

/** Another program on top of the runner's parts. */
export async function compileDriver(main: string, output: string): Promise<string> {
  const parts = (await runnerSources()).filter((source) => !source.endsWith('/main.cpp'));
  await compile([main, ...parts, '-pthread', '-ldl', '-o', output]);
  return output;
}
