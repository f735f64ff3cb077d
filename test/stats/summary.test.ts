import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { coefficientOfVariation, mean, standardDeviation, summary } from '../../src/stats/summary.ts';

const TIMINGS = [
  0.053312, 0.053216, 0.054048, 0.052928, 0.082176, 0.053024, 0.0536, 0.05328, 0.06832, 0.053696,
];

describe('summary', () => {
  it('agrees with NumPy and SciPy', () => {
    // numpy: a.mean(), a.std(ddof=1), numpy.median(a); scipy.stats.variation(a, ddof=1).
    const result = summary(TIMINGS);
    expect(result.count).toBe(10);
    expect(result.mean).toBeCloseTo(0.05776, 14);
    expect(result.standardDeviation).toBeCloseTo(0.00978397928588704, 14);
    expect(result.coefficientOfVariation).toBeCloseTo(0.16939022309361218, 13);
    expect(result.median).toBeCloseTo(0.053456, 14);
    expect(result.min).toBe(0.052928);
    expect(result.max).toBe(0.082176);
  });

  it('keeps the digits of a small spread around a large mean', () => {
    expect(standardDeviation([1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16])).toBeCloseTo(Math.sqrt(30), 9);
  });

  it('says NaN, not zero, for the spread of a single value', () => {
    expect(summary([5]).standardDeviation).toBeNaN();
  });

  it('does not change its coefficient of variation with the unit', () => {
    const timing = fc.double({ min: 1e-3, max: 1e3, noNaN: true });
    fc.assert(
      fc.property(fc.array(timing, { minLength: 2 }), (values) => {
        const inMicroseconds = coefficientOfVariation(values.map((value) => value * 1000));
        expect(inMicroseconds).toBeCloseTo(coefficientOfVariation(values), 9);
      }),
    );
  });

  it('refuses a sample that is empty or not finite', () => {
    expect(() => mean([])).toThrow(RangeError);
    expect(() => mean([1, Number.NaN])).toThrow(RangeError);
    expect(() => summary([Number.NEGATIVE_INFINITY])).toThrow(RangeError);
  });
});
