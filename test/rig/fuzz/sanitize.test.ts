import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { loadConfig } from '../../../src/config/load-config.ts';
import { verifyTarget } from '../../../src/correctness/verify-target.ts';
import type { VerifyOutcome } from '../../../src/correctness/verify-target.ts';
import { selectKernels } from '../../../src/rig/select-kernels.ts';
import { KeptJudge } from '../../../src/runner/kept-judge.ts';
import {
  sanitizedTargets,
  sanitizersNamed,
  type SanitizedTarget,
  type SanitizedTargets,
} from '../../../src/rig/fuzz/sanitize.ts';
import { fixtureProject } from '../../e2e/pawl-cli.ts';

/** Each does y = 2·x, and one thing that a plain build gets away with. The line of the fault is marked. */
const KERNELS: Readonly<Record<string, string>> = {
  honest: 'return doubled(call);',
  'heap-over-read': `float *copy = new float[size(call)];
  for (int64_t i = 0; i < size(call); ++i) copy[i] = input(call)[i];
  volatile float beyond = copy[size(call)];  // FAULT
  (void)beyond;
  delete[] copy;
  return doubled(call);`,
  'use-after-free': `float *copy = new float[size(call)];
  for (int64_t i = 0; i < size(call); ++i) copy[i] = input(call)[i];
  delete[] copy;
  volatile float *gone = copy;
  gone[1] = 1;  // FAULT
  return doubled(call);`,
  overflow: `volatile int large = 2147483647;
  volatile int larger = large + static_cast<int>(size(call));  // FAULT
  (void)larger;
  return doubled(call);`,
};

function sourceOf(body: string): string {
  return `#include "doubled.hpp"\n\nPAWL_EXPORT int pawl_run(const pawl_call *call) {\n  ${body}\n}\n`;
}

function faultyLine(kernel: string): number {
  return (
    sourceOf(KERNELS[kernel]!)
      .split('\n')
      .findIndex((line) => line.includes('FAULT')) + 1
  );
}

let folder: string;
let sanitized: SanitizedTargets;
const preparing = { gpuIndex: 0, onProgress: () => undefined, signal: new AbortController().signal };

beforeAll(async () => {
  folder = await fixtureProject(Object.keys(KERNELS));
  for (const [name, body] of Object.entries(KERNELS)) {
    await writeFile(join(folder, 'src', `${name}.cpp`), sourceOf(body));
  }
  const loaded = await loadConfig(folder);
  sanitized = await sanitizedTargets(selectKernels(loaded, {}), { loaded, ...preparing });
});
afterAll(async () => {
  await judge.close();
  await sanitized.dispose();
  await rm(folder, { recursive: true, force: true });
});

const judge = new KeptJudge();

function of(kernel: string): SanitizedTarget {
  const found = sanitized.targets.find(({ target }) => target.plan.name === kernel);
  if (found === undefined)
    throw new Error(`${kernel} was not prepared: ${JSON.stringify(sanitized.skipped)}`);
  return found;
}

async function check(kernel: string): Promise<VerifyOutcome | undefined> {
  const outcomes = await verifyTarget(of(kernel).target, {
    timeout_ms: 120_000,
    signal: preparing.signal,
    seed: () => '7',
    audit: false,
    blind: false,
    judge,
    onProgress: () => undefined,
  });
  return outcomes.get('small');
}

describe('CPU kernels under AddressSanitizer and UBSan', () => {
  it('lets an honest kernel pass, and finds nothing', async () => {
    expect(await check('honest')).toMatchObject({ status: 'verified', result: { passed: true } });
    expect(await of('honest').collect()).toEqual({ findings: [], tampering: [], problems: [] });
  });

  it.each([
    ['heap-over-read', { tool: 'address', kind: 'heap-buffer-overflow', access: 'read', size_bytes: 4 }],
    ['use-after-free', { tool: 'address', kind: 'heap-use-after-free', access: 'write', size_bytes: 4 }],
    ['overflow', { tool: 'undefined', kind: 'signed-integer-overflow' }],
  ])('tells of %s the kind, the function and the line', async (kernel, finding) => {
    expect(await check(kernel)).toMatchObject({ status: 'failed-to-run', reason: 'exited' });
    const { findings, tampering } = await of(kernel).collect();
    expect(findings).toMatchObject([finding]);
    expect(findings[0]!.kernel).toMatch(/^pawl_run/);
    expect(findings[0]!.where).toMatch(new RegExp(`src/${kernel}\\.cpp:${faultyLine(kernel)}$`));
    expect(tampering).toMatchObject([{ detector: 'sanitizer', message: expect.stringContaining(kernel) }]);
    expect((await of(kernel).collect()).findings).toEqual([]);
  });

  it('has both tools in one target', () => {
    expect(of('honest').tools).toEqual(['address', 'undefined']);
  });
});

describe('kernels that a tool cannot look at', () => {
  it('says of a CPU kernel that compute-sanitizer is not for it', async () => {
    const loaded = await loadConfig(folder);
    const plans = selectKernels(loaded, { only: ['honest'] });
    const { targets, skipped, dispose } = await sanitizedTargets(plans, {
      loaded,
      ...preparing,
      tools: ['memcheck'],
    });
    expect(targets).toEqual([]);
    expect(skipped).toMatchObject([{ kernel: 'honest', reason: 'no-sanitizer' }]);
    expect(skipped[0]!.message).toMatch(/memcheck cannot look at code on the cpu/);
    await dispose();
  });

  it('names the remedy where compute-sanitizer is not installed', async () => {
    const loaded = await loadConfig(folder);
    const [plan] = selectKernels(loaded, { only: ['honest'] });
    const { skipped, dispose } = await sanitizedTargets([{ ...plan!, device: 'cuda', language: 'cuda' }], {
      loaded,
      ...preparing,
      env: { PATH: '/nonexistent', CUDA_HOME: '/nonexistent', NVCC: '/nonexistent/nvcc' },
    });
    // A machine that has it in the toolkit's own folder goes further than this, to its GPU.
    expect(skipped).toMatchObject([{ kernel: 'honest', hint: expect.any(String) }]);
    await dispose();
  });

  it('leaves Python kernels out, and says why', async () => {
    const loaded = await loadConfig(folder);
    const [plan] = selectKernels(loaded, { only: ['honest'] });
    const { skipped, dispose } = await sanitizedTargets([{ ...plan!, language: 'python' }], {
      loaded,
      ...preparing,
    });
    expect(skipped).toMatchObject([{ reason: 'no-sanitizer', message: expect.stringContaining('Python') }]);
    await dispose();
  });
});

describe('sanitizersNamed', () => {
  it('takes nothing for all, and keeps their order', () => {
    expect(sanitizersNamed([])).toHaveLength(6);
    expect(sanitizersNamed(['undefined', 'memcheck'])).toEqual(['memcheck', 'undefined']);
  });

  it('suggests a name for one that is misspelt', () => {
    expect(() => sanitizersNamed(['adress'])).toThrow(/no sanitizer "adress".*address/);
  });
});
