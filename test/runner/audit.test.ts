import { copyFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import type { DetectorName } from '../../src/model/correctness/detector.ts';
import { AuditedRunner } from './audited-runner.ts';

let fixtures: AuditedRunner;
beforeAll(async () => {
  fixtures = await AuditedRunner.build();
}, 600_000);
afterEach(() => fixtures.stop());
afterAll(() => fixtures.remove());

const TIMEOUT_MS = 60_000;

async function detectorsFor(library: string): Promise<DetectorName[]> {
  const { tampering } = await fixtures.audited(library);
  return [...new Set(tampering.map(({ detector }) => detector))];
}

describe('an audit finds nothing in a kernel that', () => {
  it.each([
    ['only computes', 'kernels/right'],
    ['computes for some milliseconds', 'honest-long'],
    ['prints a line in each call', 'honest-prints'],
    ['allocates a workspace in its first call', 'honest-static-workspace'],
    ['keeps a history of limited length', 'honest-history'],
    ['starts and joins threads in each call', 'honest-joined-threads'],
    ['allocates and frees in each call', 'honest-allocates-and-frees'],
    ['arranges its process when it is loaded', 'honest-arranges-itself'],
    ['sets a locale when it is loaded, for which the C library shares a table', 'honest-locale'],
  ])(
    '%s',
    async (_, name) => {
      const result = await fixtures.audited(await fixtures.kernel(name));
      expect(result).toMatchObject({ passed: true, tampering: [] });
      expect(result.notes ?? []).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it(
    'computes attention with OpenMP on every CPU',
    async () => {
      const threads = Math.min(2, availableParallelism());
      const tunables = { BLOCK_M: 32, BLOCK_N: 64, UNROLL: 4, VECTOR: 8, THREADS: threads, EXP: 'poly' };
      const defines = Object.entries(tunables).map(([name, value]) => `-D${name}=${value}`);
      const flags = ['-O3', '-fopenmp', '-Wno-psabi', ...defines];
      const kernel = await fixtures.library('kernels/attention/cpu/attention.cpp', flags);
      const oracle = { library: await fixtures.library('kernels/attention/oracle.cpp', ['-O2']) };
      const extents = { B: 2, H: 2, S: 96, D: 64 };
      const tensor = (name: string, role: string) => ({
        name,
        role,
        dtype: 'f32',
        shape: Object.values(extents),
        fill: { kind: 'normal' },
      });
      const prepare = {
        case: 'attention',
        dims: [...Object.entries(extents), ['CAUSAL', 0]].map(([name, value]) => ({ name, value })),
        tensors: [...['q', 'k', 'v'].map((name) => tensor(name, 'input')), tensor('o', 'output')],
        variant: {},
        seed: '5',
      };
      const runner = await fixtures.prepared(kernel, prepare, threads);
      const rules = { oracle, atol: 1e-4, rtol: 1e-4 };
      const checked = await runner.result('check', { ...rules, seed: '7', audit: true });
      expect(checked).toMatchObject({ passed: true, tampering: [] });
      for (const mode of ['cold', 'hot']) {
        const request = { mode, count: 20, budget_ms: 60_000, timing: 'blocked', verify: rules };
        const sampled = await runner.result('sample', request);
        expect(sampled.tampering).toEqual([]);
        expect(sampled.verified?.tensors).toMatchObject([{ name: 'o', mismatches: 0 }]);
      }
    },
    4 * TIMEOUT_MS,
  );

  it(
    'is linked against a mathematical library that pawl.yaml can be read to name',
    async () => {
      const blas = await mathematics();
      const kernel = await fixtures.kernel('links-library', [blas, `-Wl,-rpath,${fixtures.folder}`]);
      expect(await detectorsFor(kernel)).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it(
    'was built with -ffast-math, and says that it changes the floating-point mode of the process',
    async () => {
      const result = await fixtures.audited(await fixtures.kernel('kernels/right', ['-ffast-math']));
      expect(result.tampering).toEqual([]);
      // GCC 13 left the start-up file that does so out of shared libraries.
      for (const note of result.notes ?? []) expect(note).toContain('flush denormal numbers');
    },
    TIMEOUT_MS,
  );
});

/** A library that goes by a well-known name. */
async function mathematics(): Promise<string> {
  const path = join(fixtures.folder, 'libopenblas.so.0');
  await copyFile(await fixtures.kernel('mathematics', ['-Wl,-soname,libopenblas.so.0']), path);
  return path;
}

describe('an audit finds a kernel that', () => {
  it.each([
    ['sets an environment variable', 'sets-variable', 'environment-changed'],
    ['leaves denormals flushed to zero', 'flushes-denormals', 'environment-changed'],
    ['keeps its results in a file', 'file-cache', 'file-access'],
    ['maps memory that others can share', 'shared-memory', 'file-access'],
    ['leaves a process behind whose parent is gone', 'forked-helper', 'helper-process'],
    ['runs a program in each call', 'runs-program', 'helper-process'],
    ['leaks a little in each call', 'leaks', 'memory-leaked'],
    ['leaks address space in each call', 'leaks-mappings', 'memory-leaked'],
    ['sleeps in each call', 'sleeps', 'sleeping'],
    ['sleeps only in its first calls', 'sleeps-first', 'sleeping'],
    ['is fast on contents it has just seen', 'remembers-contents', 'cached-result'],
    ['brings a clock of its own', 'defines-clock', 'timer-tampered'],
    ['has a thread write its output later', 'writes-later', 'late-write'],
  ] as const)(
    '%s',
    async (_, name, detector) => {
      expect(await detectorsFor(await fixtures.kernel(name))).toContain(detector);
    },
    TIMEOUT_MS,
  );

  it.skipIf(availableParallelism() < 2)(
    'uses more CPUs than it was given (skipped where there is one)',
    async () => {
      expect(await detectorsFor(await fixtures.kernel('takes-more-cpus'))).toEqual(['environment-changed']);
    },
    TIMEOUT_MS,
  );

  it(
    'loads a mathematical library that it is not linked against',
    async () => {
      const flag = `-DLIBRARY="${await mathematics()}"`;
      expect(await detectorsFor(await fixtures.kernel('loads-library', [flag]))).toEqual([
        'library-fallback',
      ]);
    },
    TIMEOUT_MS,
  );
});

it('passes on what a kernel prints during an audit', async () => {
  const runner = await fixtures.prepared(await fixtures.kernel('honest-prints'));
  await runner.result('check', { ...(await fixtures.rules()), seed: '7', audit: true });
  await runner.result('quit');
  await runner.ended;
  expect(runner.printed.split('\n').length).toBeGreaterThan(12);
}, 60_000);
