import { describe, expect, test } from 'vitest';

import { loadConfig } from '../../src/config/load-config.ts';
import { kernelNames, planKernel } from '../../src/config/plan-kernel.ts';
import { ROOT } from './attention-toolchain.ts';

const loaded = await loadConfig(ROOT);

describe("this repository's pawl.yaml", () => {
  test.each(kernelNames(loaded))('plans %s with several batches and heads in every case', (name) => {
    const plan = planKernel(loaded, name);
    expect(plan.cases.length).toBeGreaterThan(0);
    for (const { dims, tensors, operations } of plan.cases) {
      const sizes = Object.fromEntries(dims.map(({ name: dim, value }) => [dim, value]));
      expect(sizes['B']).toBeGreaterThan(1);
      expect(sizes['H']).toBeGreaterThan(1);
      expect(operations).toBeGreaterThan(0);
      expect(tensors.map((tensor) => tensor.name)).toEqual(['q', 'k', 'v', 'o']);
    }
  });

  test('refuses Hopper variants whose warpgroups would have too few registers', () => {
    const variant = { BLOCK_M: 256, BLOCK_N: 96, STAGES: 3 };
    expect(() => planKernel(loaded, 'attention-hopper', { variant })).toThrow(/register/);
    const smaller = { ...variant, BLOCK_M: 192 };
    expect(planKernel(loaded, 'attention-hopper', { variant: smaller }).variant).toMatchObject(smaller);
  });

  test('refuses Hopper variants in which a warpgroup would wait for itself under a mask', () => {
    const variant = { BLOCK_M: 256, BLOCK_N: 64, STAGES: 3 };
    expect(() => planKernel(loaded, 'attention-hopper', { variant })).toThrow(/wait for itself/);
  });
});
