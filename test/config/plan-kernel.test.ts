import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { beforeEach, describe, expect, it } from 'vitest';

import { loadConfig } from '../../src/config/load-config.ts';
import type { LoadedConfig } from '../../src/config/load-config.ts';
import { kernelNames, planKernel } from '../../src/config/plan-kernel.ts';
import { PawlError } from '../../src/model/pawl-error.ts';
import { tensorSpecSchema } from '../../src/model/problem/tensor.ts';
import { tempProject } from './temp-project.ts';

/** The longer example of docs/pawl-yaml.md is the subject: so the documentation is known to be true. */
async function documented(): Promise<LoadedConfig> {
  const text = await readFile(new URL('../../docs/examples/pawl-yaml/pawl.yaml', import.meta.url), 'utf8');
  const root = await tempProject({
    'pawl.yaml': text,
    'kernels/oracle.cpp': '',
    'kernels/oracle.cu': '',
    'kernels/attention.cpp': '',
    'kernels/attention.cu': '',
    'kernels/attention.py': '',
    'kernels/include/x.h': '',
  });
  return loadConfig(root);
}

describe('planKernel', () => {
  let loaded: LoadedConfig;
  beforeEach(async () => {
    loaded = await documented();
  });

  const failure = (...options: Parameters<typeof planKernel>): PawlError => {
    try {
      planKernel(...options);
    } catch (error) {
      if (error instanceof PawlError) return error;
      throw error;
    }
    throw new Error('it planned');
  };

  it('plans the short example of docs/pawl-yaml.md', async () => {
    const page = await readFile(new URL('../../docs/pawl-yaml.md', import.meta.url), 'utf8');
    const text = /```yaml\n(.*?)```/s.exec(page)?.[1] ?? '';
    const root = await tempProject({ 'pawl.yaml': text, 'oracle.cpp': '', 'softmax.cu': '' });
    const { sources, cases } = planKernel(await loadConfig(root), 'mine');
    expect(sources).toEqual([join(root, 'softmax.cu')]);
    expect(cases.map(({ tensors }) => tensors.map(({ shape }) => shape))).toEqual([
      [
        [64, 1024],
        [64, 1024],
      ],
    ]);
  });

  it('names the kernels in the order of the file', () => {
    expect(kernelNames(loaded)).toEqual(['attention-cpu', 'attention-cuda', 'attention-numpy']);
  });

  it('computes everything about a kernel that is compiled', () => {
    const plan = planKernel(loaded, 'attention-cpu');
    expect({ ...plan, cases: [] }).toEqual({
      name: 'attention-cpu',
      problem: 'attention',
      device: 'cpu',
      language: 'c++',
      sources: [join(loaded.root, 'kernels/attention.cpp')],
      includeDirs: [join(loaded.root, 'kernels/include')],
      flags: ['-O3', '-march=native'],
      links: ['-pthread'],
      arch: 'auto',
      oracle: {
        source: join(loaded.root, 'kernels/oracle.cpp'),
        cuda: join(loaded.root, 'kernels/oracle.cu'),
      },
      deterministic: true,
      importTimeout_s: 300,
      threads: 1,
      variant: { BLOCK_M: 32, BLOCK_N: 32, THREADS: 1 },
      cases: [],
    });
    expect(plan.cases).toEqual([
      {
        name: 'small',
        dims: [
          { name: 'B', value: 2 },
          { name: 'H', value: 2 },
          { name: 'S', value: 128 },
          { name: 'D', value: 64 },
          { name: 'CAUSAL', value: 0 },
        ],
        tensors: [
          {
            name: 'q',
            role: 'input',
            dtype: 'f32',
            shape: [2, 2, 128, 64],
            fill: { kind: 'normal', mean: 0, std: 1 },
          },
          {
            name: 'k',
            role: 'input',
            dtype: 'f32',
            shape: [2, 2, 128, 64],
            fill: { kind: 'normal', mean: 0, std: 1 },
          },
          {
            name: 'v',
            role: 'input',
            dtype: 'f32',
            shape: [2, 2, 128, 64],
            fill: { kind: 'uniform', low: -1, high: 1 },
          },
          {
            name: 'o',
            role: 'output',
            dtype: 'f32',
            shape: [2, 2, 128, 64],
            fill: { kind: 'normal', mean: 0, std: 1 },
          },
        ],
        tolerance: { atol: 2e-3, rtol: 1e-3, factor: 4 },
        coarsening: { o: { atol: 1, rtol: 1 } },
        operations: 4 * 2 * 2 * 128 * 128 * 64,
        bytes: 4 * 2 * 2 * 128 * 64 * 2,
      },
    ]);
    for (const tensor of plan.cases[0]?.tensors ?? []) expect(tensorSpecSchema.parse(tensor)).toEqual(tensor);
  });

  it('has module and function for a Python kernel, and its own cases after those of the problem', () => {
    const plan = planKernel(loaded, 'attention-numpy');
    expect([plan.module, plan.function, plan.sources]).toEqual([
      join(loaded.root, 'kernels/attention.py'),
      'attention',
      [],
    ]);
    expect(plan.cases.map(({ name, operations }) => [name, operations])).toEqual([
      ['small', 4 * 2 * 2 * 128 * 128 * 64],
      ['training_512', 4 * 32 * 8 * 512 * 512 * 64],
      ['tiny', (4 * 16 * 16 * 8) / 2],
    ]);
  });

  it('keeps the architectures that are listed', () => {
    expect(planKernel(loaded, 'attention-cuda').arch).toEqual(['sm_80', 'sm_90a']);
  });

  it('replaces defaults by a variant, also when its values are text', () => {
    const plan = planKernel(loaded, 'attention-cpu', { variant: { BLOCK_M: 16, THREADS: '4' } });
    expect(plan.variant).toEqual({ BLOCK_M: 16, BLOCK_N: 32, THREADS: 4 });
    expect(plan.threads).toBe(4);
  });

  it('plans only the cases that are asked for, in the order of the file', () => {
    const plan = planKernel(loaded, 'attention-numpy', { cases: ['tiny', 'small'] });
    expect(plan.cases.map(({ name }) => name)).toEqual(['small', 'tiny']);
  });

  it.each([
    ['atention-cpu', {}, 'pawl.yaml has no kernel "atention-cpu" (did you mean `attention-cpu`?).'],
    ['toString', {}, 'pawl.yaml has no kernel "toString".'],
    [
      'attention-cpu',
      { cases: ['smal'] },
      'Kernel attention-cpu has no case "smal" (did you mean `small`?).',
    ],
    ['attention-cpu', { cases: ['training_512'] }, 'Kernel attention-cpu has no case "training_512".'],
    [
      'attention-cpu',
      { variant: { BLOCKM: 16 } },
      'Kernel attention-cpu has no tunable "BLOCKM" (did you mean `BLOCK_M`?).',
    ],
    ['attention-cpu', { variant: { BLOCK_M: 48 } }, '48 is not a value of BLOCK_M.'],
    [
      'attention-cpu',
      { variant: { BLOCK_M: 64 } },
      'Variant BLOCK_M=64,BLOCK_N=32,THREADS=1 of attention-cpu breaks `BLOCK_N % BLOCK_M == 0` (tiles of K divide evenly).',
    ],
  ])('refuses what the file does not have: %s %j', (kernel, options, message) => {
    const error = failure(loaded, kernel, options);
    expect({ kind: error.kind, message: error.message }).toEqual({ kind: 'usage', message });
    expect(error.hint).toBeTruthy();
  });

  it('counts each tensor once and an inout tensor twice when no formula says how many bytes move', async () => {
    const root = await tempProject({
      'k.c': '',
      'pawl.yaml': `version: 1
problems:
  axpy:
    dims: { N: null, PAD: 2 }
    tensors:
      x: { role: input, dtype: f16, shape: [N + PAD] }
      i: { role: input, dtype: i32, shape: [N] }
      y: { role: inout, dtype: f16, shape: ["ceildiv(N, 2)"] }
    cases: { odd: { N: 5 }, padded: { N: 4, PAD: 0 } }
kernels:
  axpy: { problem: axpy, device: cpu, language: c, sources: [k.c], dtype: f32, threads: "min(N, 4)" }
`,
    });
    const plan = planKernel(await loadConfig(root), 'axpy');
    expect(plan.cases.map(({ bytes, operations }) => [bytes, operations])).toEqual([
      [7 * 4 + 5 * 4 + 2 * 3 * 4, undefined],
      [4 * 4 + 4 * 4 + 2 * 2 * 4, undefined],
    ]);
    expect(plan.cases[0]?.tensors.map(({ dtype }) => dtype)).toEqual(['f32', 'i32', 'f32']);
    expect(plan.cases[0]?.tensors[1]?.fill).toEqual({ kind: 'integers', low: 0, high: 127 });
    expect(plan.threads).toBe(4);
    expect(plan.oracle).toBeUndefined();
  });

  it('knows how many bytes are touched at least, where the problem says', async () => {
    const project = (bytes: string) =>
      tempProject({
        'k.c': '',
        'pawl.yaml': `version: 1
problems:
  gather:
    dims: [N, V]
    tensors:
      rows: { role: input, dtype: i32, shape: [N], fill: { kind: integers, low: 0, high: 9 } }
      table: { role: input, dtype: f32, shape: [V] }
      y: { role: output, dtype: f32, shape: [N] }
    bytes: ${bytes}
    cases: { one: { N: 4, V: 100 } }
kernels:
  gather: { problem: gather, device: cpu, language: c, sources: [k.c] }
`,
      });
    const planned = async (bytes: string) => {
      const [{ bytes: moved, leastBytes } = {}] = planKernel(
        await loadConfig(await project(bytes)),
        'gather',
      ).cases;
      return [moved, leastBytes];
    };
    expect(await planned('4 * (N + V)')).toEqual([416, undefined]);
    expect(await planned('{ least: 4 * N }')).toEqual([432, 16]);
    expect(await planned('{ moved: 12 * N, least: 4 * N }')).toEqual([48, 16]);
    for (const [bytes, message] of [
      ['{ least: 4 * W }', 'problems.gather.bytes.least: `W` is not a dimension'],
      ['{ moved: 4 * W, least: N }', 'problems.gather.bytes.moved: `W` is not a dimension'],
      ['4 * W', 'problems.gather.bytes: `W` is not a dimension'],
      ['{ moved: N, least: 2 * N }', '`2 * N` is 8 in case one, not 0 to 4, which it moves'],
      ['{ moved: 4 * N }', 'problems.gather.bytes.least: missing'],
      ['{ least: N, most: V }', 'unknown key; known are moved, least'],
    ]) {
      await expect(loadConfig(await project(bytes!))).rejects.toThrow(message);
    }
  });
});
