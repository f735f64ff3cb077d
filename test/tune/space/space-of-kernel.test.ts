import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

import { brokenConstraint, defaultVariant } from '../../../src/config/constraints.ts';
import { kernelSchema } from '../../../src/config/kernel-schema.ts';
import { loadConfig } from '../../../src/config/load-config.ts';
import { planKernel } from '../../../src/config/plan-kernel.ts';
import { deviceLimits } from '../../../src/device/device-limits.ts';
import { KNOWN_GPUS } from '../../../src/device/known-gpus.ts';
import { spaceOfKernel } from '../../../src/tune/space/space-of-kernel.ts';
import { launchNeeds } from '../../../src/tune/gates/launch-needs.ts';
import { gateSettings } from '../../../src/tune/gates/gate.ts';
import { staticGate } from '../../../src/tune/gates/static-gate.ts';

const H200 = deviceLimits(KNOWN_GPUS['H200']!);
const CASES = [
  { name: 'short', dims: [{ name: 'S', value: 128 }] },
  { name: 'long', dims: [{ name: 'S', value: 512 }] },
];
const base = { problem: 'p', device: 'cuda', language: 'cuda', sources: ['a.cu'] };

describe('the space of a kernel', () => {
  it('of every kernel in this repository holds its default variant, and only variants that can be planned', async () => {
    const loaded = await loadConfig(fileURLToPath(new URL('../../../pawl.yaml', import.meta.url)));
    for (const [name, kernel] of Object.entries(loaded.config.kernels)) {
      const { cases } = planKernel(loaded, name);
      const space = spaceOfKernel(kernel, { cases, limits: H200 });
      expect(space.pointOf(defaultVariant(kernel))).toBeDefined();
      const points = space.all()!;
      for (const point of points.filter((_, index) => index % 37 === 0)) {
        const variant = space.variantOf(point);
        expect(brokenConstraint(kernel, variant, { cases, limits: H200 })).toBeUndefined();
        expect(planKernel(loaded, name, { variant, limits: H200 }).variant).toEqual(variant);
      }
    }
  });

  it('sorts ordered values and leaves the others as written', () => {
    const kernel = kernelSchema.parse({
      ...base,
      tunables: {
        A: { values: [64, 16, 32], default: 32 },
        B: { values: [4, 1, 2], kind: 'categorical' },
        C: ['tma', 'async'],
        D: [true, false],
      },
    });
    expect(spaceOfKernel(kernel, { cases: [], limits: {} }).parameters).toEqual([
      { name: 'A', kind: 'ordered', values: [16, 32, 64] },
      { name: 'B', kind: 'categorical', values: [4, 1, 2] },
      { name: 'C', kind: 'categorical', values: ['tma', 'async'] },
      { name: 'D', kind: 'boolean', values: [true, false] },
    ]);
  });

  it('satisfies a constraint that names a dimension in every case', () => {
    const kernel = kernelSchema.parse({
      ...base,
      tunables: { T: [32, 64, 256, 512] },
      constraints: ['T <= S'],
    });
    const sizes = (cases: typeof CASES) => spaceOfKernel(kernel, { cases, limits: {} }).size;
    expect(sizes(CASES)).toBe(2);
    expect(sizes(CASES.slice(1))).toBe(4);
  });

  it('depends on the device where a constraint names its limits, and refuses a device that does not tell them', () => {
    const kernel = kernelSchema.parse({
      ...base,
      tunables: { T: [1, 2, 4, 8] },
      constraints: ['T * 30000 <= SMEM_PER_BLOCK_OPTIN', 'T <= 2 or COMPUTE_CAPABILITY >= 9'],
    });
    const size = (gpu: string) =>
      spaceOfKernel(kernel, { cases: [], limits: deviceLimits(KNOWN_GPUS[gpu]!) }).size;
    expect(size('H200')).toBe(3);
    expect(size('L4')).toBe(2);
    expect(() => spaceOfKernel(kernel, { cases: [], limits: {} })).toThrow(
      'names SMEM_PER_BLOCK_OPTIN (most shared memory per block, if a kernel opts in), which is unknown for this device',
    );
  });

  it('leaves out exactly what the static gates reject', () => {
    const kernel = kernelSchema.parse({
      ...base,
      tunables: { T: [32, 64, 128, 256], STAGES: [1, 2, 4, 8], R: [32, 64, 128, 256], B: [1, 2] },
      block_threads: '8 * T',
      shared_memory: 'STAGES * T * S',
      registers: 'R',
      blocks_per_sm: 'B',
      prefetch: 'STAGES > 2',
      gates: { low_occupancy: 20 },
    });
    const all = spaceOfKernel(kernel, { cases: CASES, limits: H200, gated: false });
    const gated = spaceOfKernel(kernel, { cases: CASES, limits: H200 });
    expect(all.size).toBe(128);
    const passing = all.all()!.filter((point) =>
      CASES.every(({ dims }) => {
        const needs = launchNeeds(kernel, all.variantOf(point), { S: dims[0]!.value }, H200);
        return staticGate({ needs, limits: H200 }, gateSettings(kernel.gates)) === undefined;
      }),
    );
    expect(gated.all()).toEqual(passing);
    expect(passing.length).toBeLessThan(128);
    expect(passing.length).toBeGreaterThan(0);
  });
});
