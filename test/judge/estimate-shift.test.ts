import { describe, expect, it } from 'vitest';

import {
  ASSUMED_DEGREES,
  ASSUMED_SD,
  estimateShift,
  noiseIsMeasured,
} from '../../src/judge/estimate-shift.ts';

describe('the shift between two sides', () => {
  it.each([
    ['one process per side', [1], [1.25]],
    ['two processes per side', [0.9, 1.1], [1.2, 1.3]],
    ['one process against many', [1], [1.2, 1.25, 1.3, 1.25]],
    ['three processes per side', [0.99, 1, 1.01], [1.24, 1.25, 1.26]],
    ['enough processes to trim', [1, 1, 1, 1, 1, 1, 1.01], [1.25, 1.25, 1.25, 1.25, 1.25, 1.25, 1.26]],
  ])('is positive where the candidate is larger, and negative the other way round: %s', (_, small, large) => {
    expect(estimateShift(small, large).difference).toBeCloseTo(0.25, 2);
    expect(estimateShift(large, small).difference).toBeCloseTo(-0.25, 2);
    expect(estimateShift(small, large)).toMatchObject({
      first: expect.closeTo(1, 2),
      second: expect.closeTo(1.25, 2),
    });
  });

  it('has an error that is assumed where a side has fewer than three processes', () => {
    expect(estimateShift([1], [1.25]).errors).toEqual([
      { value: expect.closeTo(ASSUMED_SD * Math.sqrt(2), 12), degreesOfFreedom: ASSUMED_DEGREES },
    ]);
    expect(estimateShift([1, 1], [1.2, 1.3, 1.25]).errors).toEqual([
      { value: expect.closeTo(ASSUMED_SD * Math.sqrt(1 / 2 + 1 / 3), 12), degreesOfFreedom: ASSUMED_DEGREES },
    ]);
  });

  it('has an error that is measured from three processes on', () => {
    const { errors } = estimateShift([0.99, 1, 1.01], [1.24, 1.25, 1.26]);
    expect(Math.max(...errors.map(({ value }) => value))).toBeLessThan(0.02);
  });

  it('takes the noise as measured from three processes on both sides on', () => {
    expect([noiseIsMeasured(3, 3), noiseIsMeasured(2, 9), noiseIsMeasured(9, 2)]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('is moved by one process in a bad mood among six, and not among seven', () => {
    const quiet = (count: number) => Array.from({ length: count }, () => 1);
    expect(estimateShift(quiet(7), [...quiet(6), 2]).difference).toBe(0);
    expect(estimateShift(quiet(7), [...quiet(5), 2]).difference).toBeCloseTo(1 / 6, 12);
    expect(estimateShift(quiet(6), [...quiet(6), 2]).difference).toBeCloseTo(1 / 7, 12);
  });
});
