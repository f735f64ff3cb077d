import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { buildRunners, candidateJob, runnerJob } from '../../src/build/runner-recipes.ts';
import { sanitizingJob } from '../../src/build/sanitized-job.ts';
import type { CpuSanitizer } from '../../src/model/correctness/sanitizer.ts';
import { compiledOnce } from '../services/compiled-once.ts';

const SOURCES = 'runner/src';

/** Compiles C++ of the runner and of its tests, as it is. */
export async function compilePlain(args: readonly string[], to: string): Promise<string> {
  await compiledOnce({ compiler: 'g++', args: ['-std=c++17', '-Irunner/include', ...args], to });
  return to;
}

/** Compiles C++ with the runner's headers at hand. */
export function compile(args: readonly string[], to: string): Promise<string> {
  return compilePlain([`-I${SOURCES}`, '-Wall', '-Wextra', '-Werror', ...args], to);
}

export function compileLibrary(
  source: string,
  output: string,
  flags: readonly string[] = [],
): Promise<string> {
  return compile(['-shared', '-fPIC', ...flags, source, '-pthread'], output);
}

/** The native runner as Pawl builds it and keeps it, plain or with the sanitizers of `pawl fuzz --sanitize`. */
export async function builtRunner(sanitizers: readonly CpuSanitizer[] = []): Promise<string> {
  const plain = runnerJob('cpu');
  const [outcome] = await buildRunners([sanitizers.length === 0 ? plain : sanitizingJob(plain, sanitizers)]);
  if (outcome === undefined || !('artifact' in outcome)) throw new Error(JSON.stringify(outcome));
  return outcome.artifact;
}

interface BuiltForPython {
  readonly command: string;
  readonly args: readonly string[];
  readonly candidate: { readonly command: readonly string[] };
}

let built: Promise<BuiltForPython> | undefined;

/** The judge, and how it starts a process for Python; looked for once per worker. */
export function builtForPython(): Promise<BuiltForPython> {
  return (built ??= buildForPython());
}

async function buildForPython(): Promise<BuiltForPython> {
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

/** The parts of the judge without CUDA and without its main function, in one object file. */
export async function compileParts(output: string): Promise<string> {
  const parts = (await runnerSources()).filter((source) => !source.endsWith('/main.cpp'));
  return compile(['-r', ...parts], output);
}

async function runnerSources(): Promise<string[]> {
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
  const objects = [await compile(['-c', main], `${output}-main.o`), await compileParts(`${output}-parts.o`)];
  await promisify(execFile)('g++', [...objects, '-pthread', '-ldl', '-o', output]);
  return output;
}
