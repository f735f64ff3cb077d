import { describe, expect, it } from 'vitest';

import { kernelSchema } from '../../../src/config/kernel-schema.ts';
import { computeCapability } from '../../../src/device/compute-capability.ts';
import { deviceLimits } from '../../../src/device/device-limits.ts';
import { KNOWN_GPUS } from '../../../src/device/known-gpus.ts';
import type { KernelResources } from '../../../src/model/reports/build-report.ts';
import { buildGate, failedBuildGate } from '../../../src/tune/gates/build-gate.ts';
import { gateSettings } from '../../../src/tune/gates/gate.ts';
import { launchNeeds } from '../../../src/tune/gates/launch-needs.ts';
import { profileGate } from '../../../src/tune/gates/profile-gate.ts';
import { verificationGate, failedRunGate } from '../../../src/tune/gates/run-gate.ts';
import { staticGate } from '../../../src/tune/gates/static-gate.ts';
import { entryName, variantResources } from '../../../src/tune/gates/variant-resources.ts';

const H200 = deviceLimits(KNOWN_GPUS['H200']!);
const DEFAULTS = gateSettings();

const KERNEL = kernelSchema.parse({
  problem: 'p',
  device: 'cuda',
  language: 'cuda',
  sources: ['a.cu'],
  tunables: { BLOCK: [64, 128], STAGES: [1, 2, 4], WARPS: [4, 8] },
  block_threads: '32 * WARPS',
  blocks_per_sm: 2,
  registers: 'BLOCK',
  shared_memory: 'STAGES * BLOCK * D * 4',
  scratch: 'B * 8',
  prefetch: 'STAGES > 1',
});

const entry: KernelResources = {
  function: 'void attention<64>(const half*)',
  symbol: '_Z9attention',
  arch: 'sm_90a',
  registers: 168,
  spill_store_bytes: 0,
  spill_load_bytes: 0,
  stack_bytes: 0,
  smem_bytes: 1024,
  cmem_bytes: 0,
  barriers: 1,
};

describe('what a launch needs', () => {
  it('is computed from the kernel’s formulas, for a variant and a case', () => {
    expect(launchNeeds(KERNEL, { BLOCK: 64, STAGES: 2, WARPS: 8 }, { B: 4, D: 128 }, H200)).toEqual({
      threads: 256,
      blocks_per_sm: 2,
      registers: 64,
      dynamic_smem_bytes: 65_536,
      scratch_bytes: 32,
      prefetch: true,
    });
  });

  it('leaves out what names a limit that the device does not tell', () => {
    const kernel = kernelSchema.parse({
      problem: 'p',
      device: 'cuda',
      language: 'cuda',
      block_threads: '2 * L2_BYTES',
    });
    expect(launchNeeds(kernel, {}, {}, {})).toEqual({});
  });
});

describe('before building', () => {
  it.each([
    [{ threads: 2048 }, 'too_many_threads', 'a block has 2,048 threads; up to 1,024 pass'],
    [
      { dynamic_smem_bytes: 262_144 },
      'smem_overflow',
      'a block needs 262,144 bytes of shared memory, 29,696 too many; up to 232,448 pass',
    ],
    [
      { registers: 168, threads: 256, blocks_per_sm: 2 },
      'too_many_registers',
      '2 × 256 threads with 168 registers each need more than the 65,536 registers of a multiprocessor; up to 128 per thread pass',
    ],
    [{ registers: 300 }, 'too_many_registers', 'a thread needs 300 registers; up to 255 pass'],
  ])('%o is rejected as %s, with the numbers', (needs, reason, message) => {
    expect(staticGate({ needs, limits: H200 }, DEFAULTS)).toEqual({ gate: 'static', reason, message });
  });

  it('shared memory goes to the device’s opt-in limit, not to 48 KB', () => {
    const needs = { dynamic_smem_bytes: 232_448 };
    expect(staticGate({ needs, limits: H200 }, DEFAULTS)).toBeUndefined();
    expect(staticGate({ needs, limits: deviceLimits(KNOWN_GPUS['L4']!) }, DEFAULTS)?.reason).toBe(
      'smem_overflow',
    );
    const seeds = gateSettings({ smem_overflow: 49_152 });
    expect(staticGate({ needs, limits: H200 }, seeds)?.message).toContain('up to 49,152 pass');
  });

  it('too low an occupancy is known where threads and shared memory allow no more', () => {
    const needs = { threads: 128, dynamic_smem_bytes: 49_152, prefetch: false };
    expect(staticGate({ needs, limits: H200 }, DEFAULTS)).toEqual({
      gate: 'static',
      reason: 'low_occupancy_no_prefetch',
      message:
        'occupancy is at most 25.0 % and loads are not issued ahead; it needs prefetch, or at least 50 %',
    });
    expect(staticGate({ needs: { ...needs, prefetch: true }, limits: H200 }, DEFAULTS)).toBeUndefined();
    expect(staticGate({ needs: { ...needs, threads: 256 }, limits: H200 }, DEFAULTS)).toBeUndefined();
    expect(staticGate({ needs: { threads: 32, prefetch: false }, limits: H200 }, DEFAULTS)).toBeUndefined();
    expect(staticGate({ needs, limits: {} }, DEFAULTS)).toBeUndefined();
    expect(staticGate({ needs, limits: H200 }, gateSettings({ low_occupancy: 30 }))?.reason).toBe(
      'low_occupancy',
    );
  });

  it('tensors and scratch have to fit into what is free', () => {
    const facts = { needs: { scratch_bytes: 10e9 }, limits: H200, tensor_bytes: 90e9 };
    expect(staticGate(facts, DEFAULTS)).toBeUndefined();
    expect(staticGate({ ...facts, free_bytes: 100e9 }, DEFAULTS)).toEqual({
      gate: 'static',
      reason: 'oom_risk',
      message:
        'tensors and scratch take 100,000,000,000 bytes; up to 95,000,000,000 pass (95 % of 100,000,000,000 free)',
    });
    expect(staticGate({ ...facts, free_bytes: 100e9 }, gateSettings({ oom_risk: false }))).toBeUndefined();
  });

  it('what is not known rejects nothing', () => {
    expect(staticGate({ needs: {}, limits: {}, tensor_bytes: 1e15 }, DEFAULTS)).toBeUndefined();
    expect(
      staticGate({ needs: { threads: 4096, dynamic_smem_bytes: 1e9 }, limits: {} }, DEFAULTS),
    ).toBeUndefined();
  });
});

describe('what a variant uses', () => {
  const hopper = computeCapability('9.0');

  it('is the compiler’s report and the launch together, with occupancy computed', () => {
    expect(variantResources([entry], { threads: 128, dynamic_smem_bytes: 65_536 }, hopper)).toEqual({
      threads: 128,
      registers: 168,
      spill_bytes: 0,
      stack_bytes: 0,
      smem_bytes: 66_560,
      occupancy: 12 / 64,
    });
  });

  it('is that of the function named as the entry, else of the hungriest', () => {
    const deep = {
      ...entry,
      function: 'void attention<128>(const half*)',
      registers: 255,
      spill_load_bytes: 800,
    };
    expect(variantResources([entry, deep], {}, hopper)).toMatchObject({ registers: 255, spill_bytes: 800 });
    const name = entryName('attention<{D}>', {}, { D: 64 });
    expect(variantResources([entry, deep], {}, hopper, name)).toMatchObject({
      registers: 168,
      spill_bytes: 0,
    });
    expect(variantResources([entry, deep], {}, hopper, 'elsewhere')).toMatchObject({ registers: 255 });
  });

  it('is unknown where nothing was reported, as of a CPU kernel', () => {
    expect(variantResources([], {}, undefined)).toEqual({});
  });
});

describe('after building', () => {
  const facts = { resources: {}, needs: {}, limits: H200 };

  it.each([
    [
      { smem_bytes: 233_000 },
      'smem_overflow',
      'a block uses 233,000 bytes of shared memory, static and dynamic; up to 232,448 pass',
    ],
    [
      { registers: 128, threads: 640 },
      'too_many_registers',
      'a block of 640 threads with 128 registers each cannot be launched: up to 96 per thread pass',
    ],
    [{ spill_bytes: 1200 }, 'register_spill', 'the compiler spills 1,200 bytes per thread; up to 256 pass'],
  ])('%o is rejected as %s', (resources, reason, message) => {
    expect(buildGate({ ...facts, resources }, DEFAULTS)).toEqual({ gate: 'build', reason, message });
  });

  it('low occupancy alone passes unless a kernel asks for more', () => {
    const low = { ...facts, resources: { occupancy: 0.1875 } };
    expect(buildGate(low, DEFAULTS)).toBeUndefined();
    expect(buildGate(low, gateSettings({ low_occupancy: 25 }))).toEqual({
      gate: 'build',
      reason: 'low_occupancy',
      message: 'occupancy is 18.8 %; at least 25 % is required',
    });
    expect(buildGate(low, gateSettings({ low_occupancy: true }))?.message).toContain('at least 50 %');
  });

  it('low occupancy without prefetch is rejected only of a kernel that says how it prefetches', () => {
    const resources = { occupancy: 0.25 };
    expect(buildGate({ ...facts, resources, needs: { prefetch: false } }, DEFAULTS)?.reason).toBe(
      'low_occupancy_no_prefetch',
    );
    expect(buildGate({ ...facts, resources, needs: { prefetch: true } }, DEFAULTS)).toBeUndefined();
    const off = gateSettings({ low_occupancy_no_prefetch: false });
    expect(buildGate({ ...facts, resources, needs: { prefetch: false } }, off)).toBeUndefined();
  });

  it('a failed build is the variant’s doing only where a compiler refused it', () => {
    expect(failedBuildGate({ reason: 'compile-error', message: 'a.cu:3: error' })).toEqual({
      gate: 'build',
      reason: 'build_failed',
      message: 'a.cu:3: error',
    });
    expect(failedBuildGate({ reason: 'timed-out', message: 'm' })?.reason).toBe('timed_out');
    expect(failedBuildGate({ reason: 'compiler-missing', message: 'm' })).toBeUndefined();
    expect(failedBuildGate({ reason: 'cancelled', message: 'm' })).toBeUndefined();
    expect(failedBuildGate({ reason: 'out-of-resources', message: 'm' })).toBeUndefined();
  });
});

describe('after running', () => {
  it.each([
    ['wrong-result', 'numerics'],
    ['forged', 'numerics'],
    ['faster-than-floor', 'numerics'],
    ['out-of-memory', 'oom_risk'],
    ['crashed', 'run_failed'],
    ['kernel-failed', 'run_failed'],
    ['hung', 'timed_out'],
    ['throttled', undefined],
    ['not-started', undefined],
    ['constructor', undefined],
  ])('a failure of kind %s is %s', (reason, rejection) => {
    expect(failedRunGate({ reason, message: 'm' })?.reason).toBe(rejection);
  });

  it('a wrong result is told with its share', () => {
    const tensor = { name: 'o', elements: 4096, mismatches: 12, max_abs_err: 1, max_rel_err: 1 };
    const check = { passed: false, oracle: 'o.so', tensors: [tensor], tampering: [] };
    expect(verificationGate(check)?.message).toBe(
      'wrong-result: 12 of 4,096 elements of o beyond the tolerance',
    );
    expect(verificationGate({ ...check, passed: true })).toBeUndefined();
  });

  it('conflicts and waste count only where they were measured, from their thresholds on', () => {
    const reader = (facts: Record<string, number>) => ({ have: (name: string) => facts[name] });
    expect(profileGate(reader({}), DEFAULTS)).toEqual([]);
    expect(profileGate(reader({ conflict_pct: 8, excess_sector_pct: 15 }), DEFAULTS)).toEqual([]);
    expect(profileGate(reader({ conflict_pct: 12.34 }), DEFAULTS)).toEqual([
      {
        gate: 'bank_conflicts',
        message: '12.3 % of the shared-memory wavefronts are conflicts; up to 10 % pass',
      },
    ]);
    const both = reader({ conflict_pct: 90, excess_sector_pct: 50 });
    const named = (settings = DEFAULTS) => profileGate(both, settings).map(({ gate }) => gate);
    expect(named()).toEqual(['bank_conflicts', 'bad_coalescing']);
    expect(named(gateSettings({ bank_conflicts: false }))).toEqual(['bad_coalescing']);
    expect(named(gateSettings({ bank_conflicts: 95, bad_coalescing: 60 }))).toEqual([]);
  });
});
