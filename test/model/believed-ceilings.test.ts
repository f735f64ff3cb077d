import { describe, expect, it } from 'vitest';

import { CALIBRATION_SCHEMA, type Calibration, type Exceeded } from '../../src/model/device/calibration.ts';
import { believedCeilings, doubtAbout } from '../../src/model/device/believed-ceilings.ts';

const rate = (per_second: number) => ({ per_second, median_ms: 1, samples: 15 });
const CALIBRATION: Calibration = {
  schema: CALIBRATION_SCHEMA,
  device: { kind: 'cuda', uuid: 'GPU-1' },
  pawl: '0.1.0',
  measured_at: '2026-01-02T03:04:05.000Z',
  copy: rate(1e12),
  matrix: rate(1e14),
};
const exceeded = (more: Partial<Exceeded>): Exceeded => ({
  ceiling: 'copy',
  per_second: 2e12,
  kernel: 'fast',
  case: 'large',
  verified: false,
  at: '2026-02-03T04:05:06.000Z',
  ...more,
});
const believed = (more: Partial<Calibration>) => {
  const calibration = { ...CALIBRATION, ...more };
  return { ceilings: believedCeilings(calibration), doubt: doubtAbout(calibration) };
};

describe('measured ceilings', () => {
  it('are believed as they are', () => {
    expect(believed({})).toEqual({ ceilings: { copy: 1e12, matrix: 1e14 }, doubt: undefined });
    expect(believed({ exceeded: [] }).doubt).toBeUndefined();
  });

  it('are not believed at all where load disturbed them', () => {
    const { ceilings, doubt } = believed({ disturbed: ['one thing', 'another'] });
    expect(ceilings).toEqual({});
    expect(doubt).toBe(
      'the ceilings of 2026-01-02 were disturbed (one thing; another) and are not used: pawl device --calibrate on an idle machine',
    );
  });

  it('fall one by one: to a kernel that was verified, or to two', () => {
    expect(believed({ exceeded: [exceeded({})] }).ceilings).toHaveProperty('copy');
    expect(believed({ exceeded: [exceeded({}), exceeded({ case: 'small' })] }).ceilings).toHaveProperty(
      'copy',
    );
    for (const seen of [[exceeded({ verified: true })], [exceeded({}), exceeded({ kernel: 'other' })]]) {
      const { ceilings, doubt } = believed({ exceeded: seen });
      expect(ceilings).toEqual({ matrix: 1e14 });
      expect(doubt).toBe(
        'the ceiling of the memory bandwidth of 2026-01-02 (1 TB/s) was discarded: fast large did 2 TB/s (pawl device --calibrate)',
      );
    }
  });
});
