import { describe, expect, it } from 'vitest';

import { loadConfig } from '../../src/config/load-config.ts';
import { planKernel } from '../../src/config/plan-kernel.ts';
import { PawlError } from '../../src/model/pawl-error.ts';
import { tempProject } from './temp-project.ts';

/** A file with one kernel, whose last lines are these. */
function project(lines: string): Promise<string> {
  return tempProject({
    'k.cu': '',
    'pawl.yaml': `version: 1
problems:
  copy:
    dims: [S, D]
    tensors:
      x: { role: input, dtype: f32, shape: [S, D] }
      y: { role: output, dtype: f32, shape: [S, D] }
    cases:
      short: { S: 64, D: 64 }
      long: { S: 512, D: 64 }
kernels:
  k:
    problem: copy
    device: cuda
    language: cuda
    sources: [k.cu]
${lines.replaceAll(/^/gm, '    ')}
`,
  });
}

async function load(lines: string) {
  return loadConfig(await project(lines));
}

/** The mistakes of a file, without their places. */
async function mistakes(lines: string): Promise<string[]> {
  try {
    await load(lines);
  } catch (error) {
    if (error instanceof PawlError)
      return error.message.split('\n').map((line) => line.replace(/^\S+ kernels\.k\./, ''));
    throw error;
  }
  return [];
}

describe('tunables in pawl.yaml', () => {
  it('have the kind that their values suggest, unless they say otherwise', async () => {
    const { config } = await load(`tunables:
  A: [4, 2]
  B: [true, false]
  C: [x, y]
  D2: { values: [0, 1], kind: categorical }
  M: [1, x]`);
    const { tunables } = config.kernels['k']!;
    expect(Object.values(tunables).map(({ kind }) => kind)).toEqual([
      'ordered',
      'boolean',
      'categorical',
      'categorical',
      'categorical',
    ]);
  });

  it.each([
    [
      'tunables: { A: { values: [a, b], kind: ordered } }',
      'tunables.A.kind: a is not a number; only numbers have an order',
    ],
    ['tunables: { A: { values: [0, 1], kind: boolean } }', 'tunables.A.kind: 0 is not a boolean'],
    [
      'tunables: { A: [1], STAGES: { values: [1, 2], when: B > 0 } }',
      'tunables.STAGES.when: `B` is not another tunable; there are A',
    ],
    [
      'tunables: { A: [1, 2] }\nconstraints: [A <= SMEM_PER_BLOK_OPTIN]',
      'constraints[0]: `SMEM_PER_BLOK_OPTIN` is not a tunable, dimension or device limit (did you mean `SMEM_PER_BLOCK_OPTIN`?)',
    ],
    [
      'tunables: { A: [128, 64] }\nconstraints: [A <= S]',
      'constraints[0]: the defaults break `A <= S` in case short: A = 128, S = 64',
    ],
    [
      'block_threads: 32 * WARPS',
      'block_threads: `WARPS` is not a tunable, dimension or device limit; there are S, D',
    ],
    [
      'block_threads: S / 128',
      'block_threads: is 0.5 with the defaults in case short, not a whole number from 1 on',
    ],
    ['gates: { smem_overflow: maybe }', 'gates.smem_overflow: '],
    ['gates: { numerics: off }', 'gates.numerics: unknown key'],
  ])('%s is a mistake', async (lines, message) => {
    const found = await mistakes(lines);
    expect(found.length).toBeGreaterThan(0);
    expect(found[0]).toContain(message);
  });

  it('may name limits of the device, dimensions and tunables in constraints and formulas', async () => {
    expect(
      await mistakes(`tunables: { A: [64, 128], WARP_SIZE: [32] }
constraints: [A <= S, A * D * 4 <= SMEM_PER_BLOCK_OPTIN, COMPUTE_CAPABILITY >= 8]
block_threads: A * WARP_SIZE // 16
shared_memory: A * D * 4
registers: 64
scratch: S * 4
prefetch: A > 64
entry: copy<{D}
gates: { smem_overflow: on, register_spill: 0, low_occupancy: 25, bank_conflicts: off, oom_risk: 80 }`),
    ).toEqual([]);
  });
});

describe('a variant', () => {
  it('has to satisfy what names a dimension in each selected case', async () => {
    const loaded = await load('tunables: { A: [64, 128] }\nconstraints: [A <= S]');
    expect(planKernel(loaded, 'k', { variant: { A: 128 }, cases: ['long'] }).variant).toEqual({ A: 128 });
    expect(() => planKernel(loaded, 'k', { variant: { A: 128 } })).toThrow('breaks `A <= S` in case short');
  });

  it('is asked about limits of the device only where they are known', async () => {
    const loaded = await load('tunables: { A: [1, 2] }\nconstraints: [A * 100000 <= SMEM_PER_BLOCK_OPTIN]');
    const variant = { A: 2 };
    expect(planKernel(loaded, 'k', { variant }).variant).toEqual(variant);
    expect(() => planKernel(loaded, 'k', { variant, limits: { SMEM_PER_BLOCK_OPTIN: 101_376 } })).toThrow(
      'breaks',
    );
  });

  it('leaves a tunable that does not apply at its default', async () => {
    const loaded = await load(`tunables:
  ASYNC: [1, 0]
  STAGES: { values: [1, 2, 3], default: 2, when: ASYNC == 1 }`);
    expect(planKernel(loaded, 'k', { variant: { ASYNC: 0 } }).variant).toEqual({ ASYNC: 0, STAGES: 2 });
    expect(() => planKernel(loaded, 'k', { variant: { ASYNC: 0, STAGES: 3 } })).toThrow(
      'STAGES does not apply in variant ASYNC=0,STAGES=3 of k: `ASYNC == 1` does not hold.',
    );
  });
});
