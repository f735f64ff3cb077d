import { describe, expect, it } from 'vitest';

import { computeCapability } from '../../src/device/compute-capability.ts';
import { deviceLimits } from '../../src/device/device-limits.ts';
import { KNOWN_GPUS } from '../../src/device/known-gpus.ts';

describe('limits of a device', () => {
  it('are what a runner tells, and what its compute capability implies', () => {
    expect(
      deviceLimits({
        kind: 'cuda',
        compute_capability: '9.0',
        sm_count: 132,
        memory_bytes: 150_109_880_320,
        l2_bytes: 62_914_560,
        smem_optin_bytes: 232_448,
        smem_per_sm_bytes: 233_472,
        registers_per_sm: 65_536,
        threads_per_sm: 2048,
      }),
    ).toEqual({
      SMEM_PER_BLOCK_OPTIN: 232_448,
      SMEM_PER_SM: 233_472,
      MAX_THREADS_PER_BLOCK: 1024,
      THREADS_PER_SM: 2048,
      MAX_BLOCKS_PER_SM: 32,
      REGS_PER_SM: 65_536,
      MAX_REGS_PER_THREAD: 255,
      SM_COUNT: 132,
      WARP_SIZE: 32,
      COMPUTE_CAPABILITY: 9,
      L2_BYTES: 62_914_560,
      MEMORY_BYTES: 150_109_880_320,
    });
  });

  it('of a GPU by compute capability alone agree with what the H200’s driver tells', () => {
    expect(deviceLimits(KNOWN_GPUS['H200']!)).toMatchObject({
      SMEM_PER_BLOCK_OPTIN: 232_448,
      SMEM_PER_SM: 233_472,
      THREADS_PER_SM: 2048,
      SM_COUNT: 132,
      L2_BYTES: 62_914_560,
    });
  });

  it('of a CPU are cores, caches and the width of its vectors', () => {
    const cpu = { kind: 'cpu', cores: 8, l1d_bytes: 32_768, l2_bytes: 1_048_576 } as const;
    expect(deviceLimits({ ...cpu, features: ['avx2', 'avx512f'] })).toEqual({
      CORES: 8,
      L1D_BYTES: 32_768,
      L2_BYTES: 1_048_576,
      VECTOR_BYTES: 64,
    });
    expect(deviceLimits({ ...cpu, features: ['avx', 'avx2'] }).VECTOR_BYTES).toBe(32);
    expect(deviceLimits({ ...cpu, features: ['asimd'] }).VECTOR_BYTES).toBe(16);
    expect(deviceLimits(cpu).VECTOR_BYTES).toBeUndefined();
  });

  it('every known GPU has a compute capability that is known too', () => {
    for (const gpu of Object.values(KNOWN_GPUS))
      expect(computeCapability(gpu.compute_capability)).toBeDefined();
    expect(computeCapability('constructor')).toBeUndefined();
  });
});
