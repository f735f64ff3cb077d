import { readFile } from 'node:fs/promises';

import { beforeEach, describe, expect, it } from 'vitest';

import { loadConfig, type LoadedConfig } from '../../src/config/load-config.ts';
import { planFuzz } from '../../src/config/plan-fuzz.ts';
import { planKernel } from '../../src/config/plan-kernel.ts';
import { VALUE_KINDS } from '../../src/model/problem/fuzz-case.ts';
import type { Dtype } from '../../src/model/problem/tensor.ts';
import { tempProject } from './temp-project.ts';

/** The longer example of docs/pawl-yaml.md, perhaps changed. */
async function documented(change: (text: string) => string = (text) => text): Promise<LoadedConfig> {
  const text = await readFile(new URL('../../docs/examples/pawl-yaml/pawl.yaml', import.meta.url), 'utf8');
  const files = ['oracle.cpp', 'oracle.cu', 'attention.cpp', 'attention.cu', 'attention.py', 'include/x.h'];
  const root = await tempProject({
    'pawl.yaml': change(text),
    ...Object.fromEntries(files.map((file) => [`kernels/${file}`, ''])),
  });
  return loadConfig(root);
}

describe('planFuzz', () => {
  let loaded: LoadedConfig;
  beforeEach(async () => {
    loaded = await documented();
  });

  it('has the dimensions, the matrix and the edge cases of the problem', () => {
    const { parts } = planFuzz(loaded, 'attention-cpu');
    expect(parts.dims).toEqual([
      { name: 'B', min: 1, max: 8, multiple: 1 },
      { name: 'H', min: 1, max: 8, multiple: 1 },
      { name: 'S', min: 1, max: 1024, multiple: 1 },
      { name: 'D', values: [16, 64, 128] },
      { name: 'CAUSAL', values: [0, 1] },
    ]);
    expect(parts.matrix).toHaveLength(27);
    expect(parts.matrix[0]).toEqual({
      name: 'matrix_S448_B16_H4',
      dims: { S: 448, B: 16, H: 4, D: 64, CAUSAL: 0 },
    });
    expect(parts.edges.map(({ name }) => name)).toEqual(['one']);
    expect([parts.kinds, parts.huge, parts.dtypes]).toEqual([VALUE_KINDS, 30, ['f32']]);
    expect(parts.inputs).toEqual([
      { name: 'q', nonfinite: ['nan'] },
      { name: 'k', nonfinite: [] },
      { name: 'v', nonfinite: ['nan', 'inf'] },
    ]);
  });

  it('knows the sizes at which a kernel changes what it does: tunables, matrix and cases', () => {
    const { hints } = planFuzz(loaded, 'attention-cpu').parts;
    expect(hints).toEqual(expect.arrayContaining([16, 32, 64, 448, 640]));
  });

  it('narrows by what the kernel says, also the matrix and the edge cases', async () => {
    const narrowed = await documented((text) =>
      text.replace('fuzz: { dims: { D: [64] } }', 'fuzz: { dims: { D: [128], S: { min: 1, max: 32 } } }'),
    );
    const { parts } = planFuzz(narrowed, 'attention-cuda');
    expect(parts.dims.slice(2, 4)).toEqual([
      { name: 'S', min: 1, max: 32, multiple: 1 },
      { name: 'D', values: [128] },
    ]);
    expect([parts.matrix, parts.edges]).toEqual([[], []]);
    expect(parts.dtypes).toEqual(['f16', 'bf16']);
  });

  it('gives a GPU more room than a CPU', () => {
    const [cpu, cuda] = ['attention-cpu', 'attention-cuda'].map((name) => planFuzz(loaded, name).parts);
    expect([cpu?.maxBytes, cpu?.maxOperations]).toEqual([2 ** 26, 2e9]);
    expect([cuda?.maxBytes, cuda?.maxOperations]).toEqual([2 ** 29, 2e11]);
  });

  it('draws from the declared cases where nothing is said: switches as they are, sizes up to the largest', async () => {
    const bare = await documented((text) => text.replace(/ {4}fuzz:\n(?: {6}.*\n| {8}.*\n)+/, ''));
    expect(planFuzz(bare, 'attention-numpy').parts.dims).toEqual([
      { name: 'B', min: 1, max: 32, multiple: 1 },
      { name: 'H', min: 1, max: 8, multiple: 1 },
      { name: 'S', min: 1, max: 512, multiple: 1 },
      { name: 'D', min: 1, max: 64, multiple: 1 },
      { name: 'CAUSAL', values: [0, 1] },
    ]);
  });

  it('leaves an input alone whose fill says what the kernel expects', async () => {
    const positive = await documented((text) => text.replace('low: -1, high: 1', 'low: 0, high: 1'));
    expect(planFuzz(positive, 'attention-cpu').parts.inputs.map(({ name }) => name)).toEqual(['q', 'k']);
  });

  it('contains what satisfies ranges, values and `where`, and nothing else', () => {
    const space = planFuzz(loaded, 'attention-cpu');
    const dims = { B: 2, H: 2, S: 17, D: 64, CAUSAL: 0 };
    expect(space.contains(dims)).toBe(true);
    expect(space.contains({ ...dims, D: 65 })).toBe(false);
    expect(space.contains({ ...dims, B: 9 })).toBe(false);
    expect(space.contains({ ...dims, B: 8, H: 8, S: 1000 })).toBe(false);
  });
});

describe('the tolerance of a kernel', () => {
  it('grows with the step of a coarser type and stays in a finer one', async () => {
    const loaded = await documented();
    const space = planFuzz(loaded, 'attention-cuda');
    const dims = { B: 1, H: 1, S: 1, D: 64, CAUSAL: 0 };
    const tolerance = (dtype: Dtype) => space.plan('x', dims, dtype)?.tolerance;
    expect(tolerance('f16')).toEqual({ atol: 2e-3, rtol: 1e-3, factor: 4 });
    expect(tolerance('bf16')).toEqual({ atol: 1.6e-2, rtol: 8e-3, factor: 4 });
    expect(tolerance('f32')).toEqual(tolerance('f16'));
    expect(space.plan('x', dims, 'bf16')?.coarsening).toEqual({ o: { atol: 8, rtol: 8 } });
    const plan = planKernel(loaded, 'attention-cuda');
    expect(plan.deterministic).toBe(false);
    expect(plan.cases[0]?.tolerance).toEqual(tolerance('f16'));
  });
});
