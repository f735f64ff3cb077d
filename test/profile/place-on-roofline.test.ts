import { describe, expect, it } from 'vitest';

import type { CasePlan } from '../../src/config/plan-kernel.ts';
import { CALIBRATION_SCHEMA, type Calibration } from '../../src/model/device/calibration.ts';
import type { Dtype } from '../../src/model/problem/tensor.ts';
import { placeOnRoofline } from '../../src/profile/place-on-roofline.ts';

const rate = (per_second: number) => ({ per_second, median_ms: 1, samples: 15 });

/** 1 TB/s, 100 TOP/s in the tensor cores, 10 TOP/s outside of them. */
const CALIBRATION: Calibration = {
  schema: CALIBRATION_SCHEMA,
  device: { kind: 'cuda', uuid: 'GPU-1', l2_bytes: 50e6 },
  pawl: '0.1.0',
  measured_at: '2026-01-02T03:04:05.000Z',
  copy: rate(1e12),
  matrix: rate(1e14),
  multiply_add: rate(1e13),
};

function plan(dtype: Dtype, operations: number | undefined, bytes: number): CasePlan {
  const tensor = { name: 'x', role: 'input', dtype, shape: [8], fill: { kind: 'normal' } } as const;
  return {
    name: 'c',
    dims: [],
    tensors: [tensor as never],
    operations,
    bytes,
    tolerance: { atol: 0, rtol: 0 },
    coarsening: {},
  };
}

const at = (which: CasePlan, time_ms: number, mode: 'cold' | 'hot' = 'cold') =>
  placeOnRoofline({ kernel: 'k', case: which, mode, time_ms }, CALIBRATION);

describe('a time under the measured ceilings', () => {
  it('at 93 % of the bandwidth says that there is nothing to gain', () => {
    const placed = at(plan('f32', 1e6, 1e9), 1 / 0.93);
    expect(placed).toMatchObject({ bound: 'memory', floor_ms: 1 });
    expect(placed?.advice).toBe(
      'k is at 93 % of the ceiling (memory bandwidth): there is nothing to gain from another kernel',
    );
  });

  it('below 90 % gives no such advice', () => {
    const placed = at(plan('f32', 1e6, 1e9), 2);
    expect(placed?.of_ceiling_pct).toBeCloseTo(50);
    expect(placed?.distance).toBeCloseTo(2);
    expect(placed?.advice).toBeUndefined();
  });

  it('of 16-bit numbers is held against the tensor cores, of 32-bit ones against the other units', () => {
    expect(at(plan('f16', 1e12, 1e6), 20)).toMatchObject({ bound: 'compute', floor_ms: 10 });
    expect(at(plan('f32', 1e12, 1e6), 200)).toMatchObject({ bound: 'compute', floor_ms: 100 });
  });

  it('of 64-bit numbers is held against memory alone, since nothing else was measured', () => {
    expect(at(plan('f64', 1e12, 1e9), 2)).toMatchObject({ bound: 'memory', floor_ms: 1 });
  });

  it('in a warm cache is not held against memory', () => {
    expect(at(plan('f32', undefined, 1e6), 2, 'hot')).toBeUndefined();
    expect(at(plan('f32', undefined, 1e9), 2, 'hot')).toMatchObject({ bound: 'memory' });
  });

  it('faster than the ceiling doubts the formulas and the ceiling, not physics', () => {
    expect(at(plan('f32', 1e6, 1e9), 0.5)?.advice).toMatch(
      /200 % of the measured ceiling.*formulas.*--calibrate/,
    );
  });
});
