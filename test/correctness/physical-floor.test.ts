import { describe, expect, it } from 'vitest';

import type { CasePlan } from '../../src/config/plan-kernel.ts';
import {
  physicalFloor,
  refuseFasterThanFloor,
  withoutMemoryFloor,
} from '../../src/correctness/physical-floor.ts';
import type { DeviceInfo } from '../../src/model/device/device.ts';
import type { Dtype, TensorSpec } from '../../src/model/problem/tensor.ts';
import { median } from '../../src/stats/index.ts';
import { attentionSeries } from '../fixtures/h200-attention.ts';

/** As its runner describes it. */
const H200: DeviceInfo = {
  kind: 'cuda',
  name: 'NVIDIA H200',
  compute_capability: '9.0',
  sm_count: 132,
  sm_clock_max_mhz: 1980,
  memory_clock_max_mhz: 3201,
  memory_bus_bits: 6144,
  l2_bytes: 62_914_560,
};
const COLD = { device: H200, mode: 'cold', threads: 1 } as const;

function tensor(name: string, role: TensorSpec['role'], dtype: Dtype, count: number): TensorSpec {
  return { name, role, dtype, shape: [count], fill: { kind: 'normal', mean: 0, std: 1 } };
}

function plan(tensors: readonly TensorSpec[], operations?: number, bytes = Infinity): CasePlan {
  return {
    name: 'case',
    dims: [],
    tensors,
    operations,
    bytes,
    tolerance: { atol: 0, rtol: 0 },
    coarsening: {},
  };
}

/** B=32 H=8 S=512 D=64 in f16. */
const ATTENTION = plan(
  ['q', 'k', 'v'].map((name) => tensor(name, 'input', 'f16', 32 * 8 * 512 * 64)),
  4 * 32 * 8 * 512 * 512 * 64,
);

describe('physicalFloor on CUDA', () => {
  it('is the operations over the tensor cores’ peak where that is the longer', () => {
    const floor = physicalFloor(ATTENTION, COLD)!;
    expect(floor.limit).toBe('operations');
    expect(floor.floor_ms).toBeCloseTo((1000 * 4 * 32 * 8 * 512 * 512 * 64) / (4096 * 1980e6 * 132), 6);
  });

  it('is the inputs over the memory’s peak where there are few operations, and leaves outputs out', () => {
    const copy = plan([tensor('x', 'input', 'f32', 1e8), tensor('y', 'output', 'f32', 1e8)], 1e8);
    const floor = physicalFloor(copy, COLD)!;
    expect(floor).toMatchObject({ limit: 'memory', basis: '400 MB of inputs at 4.92 TB/s' });
    expect(floor.floor_ms).toBeCloseTo((1000 * 4e8) / (3201e6 * 2 * 768), 6);
  });

  it.each(['hot', 'graph'] as const)('counts in %s mode only what the L2 cannot hold', (mode) => {
    const small = plan([tensor('x', 'input', 'f32', 1e7)]);
    const large = plan([tensor('x', 'input', 'f32', 1e8)]);
    expect(physicalFloor(small, { ...COLD, mode })).toBeUndefined();
    const { floor_ms } = physicalFloor(large, { ...COLD, mode })!;
    expect(floor_ms).toBeCloseTo((1000 * (4e8 - 62_914_560)) / (3201e6 * 2 * 768), 6);
  });

  it('takes the problem’s own bytes where they are fewer: a gather does not read its whole table', () => {
    const gather = plan([tensor('table', 'input', 'f32', 1e9)], undefined, 4000);
    expect(physicalFloor(gather, COLD)!.floor_ms).toBeLessThan(1e-5);
  });

  describe('where integers choose what is touched', () => {
    const indices = (low: number, high: number): TensorSpec => ({
      ...tensor('rows', 'input', 'i32', 4096),
      fill: { kind: 'integers', low, high },
    });
    /** As llm.c's encoder backward: rows of a large table that few indices name. */
    const scatter = (rows: TensorSpec, operations?: number) =>
      plan([rows, tensor('gradient', 'input', 'f32', 1e6), tensor('table', 'inout', 'f32', 1e9)], operations);

    it.each([
      ['indices', 0, 50_256],
      ['indices with a hole', -1, 50_256],
      ['lengths', 1, 1e9],
    ])('has none by bytes: %s', (_, low, high) => {
      const gather = scatter(indices(low, high));
      expect(physicalFloor(gather, COLD)).toBeUndefined();
      expect(withoutMemoryFloor(gather)).toMatch(/^no time is impossible by its bytes: rows may choose/);
    });

    it('still has one by operations', () => {
      expect(physicalFloor(scatter(indices(0, 9), 1e12), COLD)!.limit).toBe('operations');
    });

    it('has one by bytes that the problem says are the least', () => {
      const told = { ...scatter(indices(0, 50_256)), leastBytes: 4e6 };
      expect(physicalFloor(told, COLD)).toMatchObject({
        limit: 'memory',
        basis: '4 MB of inputs at 4.92 TB/s',
      });
      expect(withoutMemoryFloor(told)).toBeUndefined();
    });

    it.each([
      ['negative numbers', -128, 127],
      ['numbers larger than any tensor', 0, 2e9],
    ])('has one by bytes for integers that are no indices: %s', (_, low, high) => {
      expect(physicalFloor(scatter(indices(low, high)), COLD)!.limit).toBe('memory');
      expect(withoutMemoryFloor(scatter(indices(low, high)))).toBeUndefined();
    });
  });

  it('has no floor of operations for a compute capability that it does not know', () => {
    const device = { ...H200, compute_capability: '99.0' };
    expect(physicalFloor(ATTENTION, { ...COLD, device })!.limit).toBe('memory');
  });

  it('has none at all where the device says nothing of itself', () => {
    expect(physicalFloor(ATTENTION, { ...COLD, device: { kind: 'cuda' } })).toBeUndefined();
  });

  it.each([
    ['9.0', 2],
    ['10.0', 4],
    ['12.0', 4],
  ])('allows 8-bit types on compute capability %s %i times the operations of f16', (capability, factor) => {
    const context = { ...COLD, device: { ...H200, compute_capability: capability } };
    const of = (dtype: Dtype) =>
      physicalFloor(plan([tensor('x', 'input', dtype, 10)], 1e12), context)!.floor_ms;
    expect(of('i8')).toBeCloseTo(of('f16') / factor, 9);
  });

  it.each(['memory_clock_max_mhz', 'memory_bus_bits'] as const)(
    'has no floor of memory where the device does not say its %s',
    (unknown) => {
      const device = { ...H200, [unknown]: undefined };
      const copy = plan([tensor('x', 'input', 'f32', 1e8)]);
      expect(physicalFloor(copy, { ...COLD, device })).toBeUndefined();
    },
  );
});

describe('physicalFloor on the CPU', () => {
  const cpu = { device: { kind: 'cpu' }, mode: 'hot', threads: 2 } as const;

  it.each([
    ['f64', 32],
    ['f32', 64],
    ['f16', 128],
  ] as const)('allows %s %i operations a cycle and thread at 6 GHz', (dtype, perCycle) => {
    const floor = physicalFloor(plan([tensor('x', 'input', dtype, 1)], 1e12), cpu)!;
    expect(floor).toMatchObject({ limit: 'operations' });
    expect(floor.floor_ms).toBeCloseTo(1e15 / (2 * 6e9 * perCycle), 6);
  });

  it('allows tiles eight times the operations, where the CPU has them', () => {
    const device: DeviceInfo = { kind: 'cpu', features: ['amx_bf16'] };
    const bf16 = plan([tensor('x', 'input', 'bf16', 1)], 1e12);
    const ratio = physicalFloor(bf16, cpu)!.floor_ms / physicalFloor(bf16, { ...cpu, device })!.floor_ms;
    expect(ratio).toBeCloseTo(8, 9);
  });

  it.each([
    ['f64', 32],
    ['f32', 8 * 128],
    ['bf16', 8 * 128],
    ['i8', 8 * 256],
  ] as const)(
    'allows %s %i operations a cycle and thread on a CPU with tiles among its features',
    (dtype, perCycle) => {
      const device: DeviceInfo = { kind: 'cpu', features: ['avx512f', 'amx_int8'] };
      const floor = physicalFloor(plan([tensor('x', 'input', dtype, 1)], 1e12), { ...cpu, device })!;
      expect(floor.floor_ms).toBeCloseTo(1e15 / (2 * 6e9 * perCycle), 6);
    },
  );

  it('reads no input faster than 128 bytes a cycle and thread', () => {
    const { floor_ms, limit } = physicalFloor(plan([tensor('x', 'input', 'f32', 3e9)]), cpu)!;
    expect(limit).toBe('memory');
    expect(floor_ms).toBeCloseTo((1000 * 12e9) / (2 * 6e9 * 128), 6);
  });
});

describe('refuseFasterThanFloor', () => {
  const floor = { floor_ms: 0.01, limit: 'memory', basis: '49.2 MB of inputs at 4.92 TB/s' } as const;
  const times = (...samples_ms: number[]) => ({ samples_ms });

  it('refuses a median below the floor, with both numbers and the formula to look at', () => {
    const series = times(0.002, 0.002, 0.002);
    expect(() => refuseFasterThanFloor(series, floor)).toThrow(
      /a median of 2\.00 µs .* 49\.2 MB of inputs at 4\.92 TB\/s take 10\.0 µs.*`bytes`/,
    );
    expect(() => refuseFasterThanFloor(series, floor)).toThrow(
      expect.objectContaining({ reason: 'faster-than-floor' }),
    );
  });

  it('refuses a fastest tenth below it: some calls did not do the work', () => {
    const series = times(...Array.from({ length: 20 }, (_, index) => (index < 2 ? 0.001 : 0.03)));
    expect(() => refuseFasterThanFloor(series, floor)).toThrow(/a fastest tenth of 1\.00 µs/);
  });

  it('takes a tenth of the samples wherever they stand, and the part of one as a whole', () => {
    // Three of 25: (1 + 1 + 26) / 3 is below 9.5 µs, and (1 + 1 + 27) / 3 is not; two of them always would be.
    const series = (third_us: number) =>
      times(...Array.from({ length: 22 }, () => 0.1), 0.001, third_us / 1000, 0.001);
    expect(() => refuseFasterThanFloor(series(26), floor)).toThrow(/a fastest tenth of 9\.33 µs/);
    expect(() => refuseFasterThanFloor(series(27), floor)).not.toThrow();
  });

  it('names the formula of what limits', () => {
    const series = times(0.002, 0.002, 0.002);
    expect(() => refuseFasterThanFloor(series, { ...floor, limit: 'operations' })).toThrow(/`operations`/);
  });

  it('lets pass what is within five percent of it, and what has none', () => {
    expect(() => refuseFasterThanFloor(times(0.0096), floor)).not.toThrow();
    expect(() => refuseFasterThanFloor(times(1e-9), undefined)).not.toThrow();
  });

  it('lets recorded series of a fast attention kernel on an H200 pass, three times above the floor', () => {
    const recorded = physicalFloor(ATTENTION, COLD)!;
    for (const series of attentionSeries('B32_H8_S512_D64')) {
      expect(() => refuseFasterThanFloor(series, recorded)).not.toThrow();
      expect(median(series.samples_ms) / recorded.floor_ms).toBeGreaterThan(3);
    }
  });
});
