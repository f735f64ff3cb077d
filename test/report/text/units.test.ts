import { describe, expect, it } from 'vitest';

import {
  bandwidthUnit,
  decimalsFor,
  formatBytes,
  formatDuration,
  formatPercent,
  throughputUnit,
  timeUnit,
} from '../../../src/report/text/units.ts';

describe('timeUnit', () => {
  it.each([
    [[0.0000004], 'ns'],
    [[0.0005, 3], 'ns'],
    [[0.0533, 0.31], 'µs'],
    [[1, 900], 'ms'],
    [[1000], 's'],
    [[], 'ms'],
  ])('of %j ms is %s', (times, unit) => {
    expect(timeUnit(times).name).toBe(unit);
  });
});

describe('throughputUnit and bandwidthUnit', () => {
  it('keep the smallest value of the column at 1 or above', () => {
    expect(throughputUnit([354_000, 66_000]).name).toBe('TFLOP/s');
    expect(throughputUnit([354_000, 66]).name).toBe('GFLOP/s');
    expect(throughputUnit([0.5]).name).toBe('MFLOP/s');
    expect(bandwidthUnit([1383, 1040]).name).toBe('TB/s');
    expect(bandwidthUnit([1383, 432]).name).toBe('GB/s');
  });
});

describe('decimalsFor', () => {
  it('gives the smallest value its significant digits', () => {
    const microseconds = { name: 'µs', divisor: 1e-3 };
    expect(decimalsFor([0.0533, 0.31], microseconds, 4)).toBe(2);
    expect(decimalsFor([12.345], microseconds, 4)).toBe(0);
    expect(decimalsFor([], microseconds, 4)).toBe(0);
  });
});

describe('formatting', () => {
  it('shows percentages with the digits that matter', () => {
    expect([0.284, 6.5, 38.3].map(formatPercent)).toEqual(['0.28', '6.5', '38']);
  });

  it('shows memory in binary units', () => {
    expect([0, 512, 1536, 62_914_560, 150_754_820_096].map(formatBytes)).toEqual([
      '0 B',
      '512 B',
      '1.5 KiB',
      '60 MiB',
      '140 GiB',
    ]);
  });

  it('shows durations in the largest two units', () => {
    expect([400, 59_400, 65_000, 7_380_000].map(formatDuration)).toEqual([
      '0 s',
      '59 s',
      '1 min 05 s',
      '2 h 03 min',
    ]);
  });
});
