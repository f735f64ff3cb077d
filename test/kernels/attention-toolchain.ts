import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { parse } from 'yaml';
import { z } from 'zod';

import type { Variant } from '../../src/model/problem/variant.ts';
import { compiledOnce } from '../services/compiled-once.ts';

export const ROOT = join(import.meta.dirname, '..', '..');
export const ATTENTION = join(ROOT, 'kernels', 'attention');
const EMULATOR = join(import.meta.dirname, 'emulator');
const CXX = ['-std=c++17', '-Wall', '-Wextra', '-Werror', '-I', join(ROOT, 'runner', 'include')];
const LIBRARY = ['-fPIC', '-fvisibility=hidden', '-shared'];

interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end; a program that is not there ends with 127. */
export function run(
  command: string,
  args: readonly string[],
  input = '',
  environment: Readonly<Record<string, string>> = {},
): Promise<Finished> {
  const options = { cwd: ROOT, maxBuffer: 1 << 26, env: { ...process.env, ...environment } };
  return new Promise((resolve) => {
    const child = execFile(command, args, options, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 127;
      resolve({ code, stdout, stderr });
    });
    // A program may end without reading: its exit code tells what came of it.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}

function compile(compiler: 'g++' | 'nvcc', args: readonly string[], to: string): Promise<string> {
  return compiledOnce({ compiler, args, to });
}

function macros(variant: Variant): string[] {
  return Object.entries(variant).map(([name, value]) => `-D${name}=${String(value)}`);
}

export async function compileOracle(to: string): Promise<void> {
  await compile('g++', [...CXX, '-O3', ...LIBRARY, join(ATTENTION, 'oracle.cpp')], to);
}

export async function compileChecker(to: string): Promise<void> {
  await compile('g++', [...CXX, '-O2', join(import.meta.dirname, 'check-attention.cpp'), '-ldl'], to);
}

/** The CPU kernel as pawl.yaml builds it: a library, or only its object code. */
export async function compileCpu(variant: Variant, to: string, kind: 'library' | 'object'): Promise<void> {
  const { flags } = (await kernels())['attention-cpu'] ?? { flags: [] };
  const output = kind === 'library' ? LIBRARY : ['-fPIC', '-c'];
  const source = join(ATTENTION, 'cpu', 'attention.cpp');
  await compile('g++', [...CXX, ...flags, ...output, ...macros(variant), source], to);
}

/** A CUDA kernel as a host library on the emulator, with the instructions of one architecture. */
export async function compileEmulated(
  source: string,
  instructions: string,
  variant: Variant,
  to: string,
): Promise<void> {
  // More optimisation takes longer to compile than it saves.
  const flags = ['-O1', '-Wno-unknown-pragmas', '-Wno-psabi', ...LIBRARY, '-I', EMULATOR];
  const include = ['-include', join(EMULATOR, instructions)];
  await compile('g++', [...CXX, ...flags, ...include, ...macros(variant), '-x', 'c++', source], to);
}

/** A program that launches the Hopper kernel on the emulator: launches-apart.cpp. */
export async function compileLaunchesApart(variant: Variant, to: string): Promise<void> {
  const flags = [
    '-O1',
    '-Wno-unknown-pragmas',
    '-Wno-psabi',
    '-I',
    EMULATOR,
    '-I',
    join(ATTENTION, 'hopper'),
  ];
  const include = ['-include', join(EMULATOR, 'hopper-instructions.h')];
  const program = join(import.meta.dirname, 'launches-apart.cpp');
  await compile('g++', [...CXX, ...flags, ...include, ...macros(variant), program], to);
}

/** Machine code for one architecture, and what ptxas says about it. */
export async function compileCubin(source: string, arch: string, variant: Variant, to: string) {
  const target = `-gencode=arch=compute_${arch},code=sm_${arch}`;
  const flags = ['-std=c++17', '-O3', target, '-cubin', '-Xptxas', '-v', '-Werror', 'all-warnings'];
  const include = ['-I', join(ROOT, 'runner', 'include')];
  const report = await compile('nvcc', [...flags, ...include, ...macros(variant), source], to);
  return { code: await readFile(to), report };
}

const resultSchema = z.strictObject({
  status: z.int(),
  oracle: z.int(),
  mismatches: z.int(),
  guarded: z.boolean(),
  max_abs_err: z.number(),
  rel_norm: z.number(),
  digest: z.string(),
});

/** One line a case: `B H S D CAUSAL FILL SEED` (check-attention.cpp). */
export async function checkAttention(
  programs: { readonly checker: string; readonly oracle: string },
  library: string,
  dtype: 'f32' | 'f16',
  cases: readonly string[],
  environment: Readonly<Record<string, string>> = {},
) {
  const input = `${cases.join('\n')}\n`;
  const finished = await run(programs.checker, [library, programs.oracle, dtype], input, environment);
  if (finished.code !== 0) throw new Error(`the checker ended with ${finished.code}: ${finished.stderr}`);
  return finished.stdout
    .trim()
    .split('\n')
    .map((line) => resultSchema.parse(JSON.parse(line)));
}

/** What a right kernel's result looks like, whatever its rounding. */
export const RIGHT = { status: 0, oracle: 0, mismatches: 0, guarded: true } as const;

const value = z.union([z.number(), z.string(), z.boolean()]);
const kernelsSchema = z.record(
  z.string(),
  z.object({
    flags: z.array(z.string()).default([]),
    tunables: z.record(z.string(), z.object({ values: z.array(value), default: value })).default({}),
  }),
);

async function kernels() {
  const text = await readFile(join(ROOT, 'pawl.yaml'), 'utf8');
  return kernelsSchema.parse(z.object({ kernels: z.unknown() }).parse(parse(text)).kernels);
}

export async function tunablesOf(kernel: string) {
  const found = (await kernels())[kernel];
  if (found === undefined) throw new Error(`pawl.yaml has no kernel ${kernel}`);
  return found.tunables;
}

export async function defaultVariant(kernel: string): Promise<Variant> {
  const tunables = Object.entries(await tunablesOf(kernel));
  return Object.fromEntries(tunables.map(([name, tunable]) => [name, tunable.default]));
}
