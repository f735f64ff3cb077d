import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { trimmed, trimmedMean } from '../../src/stats/trimmed-mean.ts';

const TIMINGS = [
  0.053312, 0.053216, 0.054048, 0.052928, 0.082176, 0.053024, 0.0536, 0.05328, 0.06832, 0.053696,
];

describe('trimmedMean', () => {
  // scipy.stats.trim_mean(TIMINGS, share), SciPy 1.17.1.
  it.each([
    [0, 0.05776],
    [0.1, 0.055312],
    [0.2, 0.053525333333333334],
    [0.25, 0.053525333333333334],
    [0.4, 0.053456],
  ])('by %f agrees with SciPy', (share, expected) => {
    expect(trimmedMean(TIMINGS, share)).toBeCloseTo(expected, 14);
  });

  it('of equal values is exactly that value, with no spread', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 1e-6, max: 1e6, noNaN: true }),
        fc.integer({ min: 1, max: 9 }),
        (value, n) => {
          const all = Array.from({ length: n }, () => value);
          expect(trimmed(all, 0.2)).toMatchObject({ mean: value, winsorizedSquares: 0 });
        },
      ),
    );
  });

  it('does not care how far out an outlier is', () => {
    const near = trimmed([1, 2, 3, 4, 5, 6], 0.2);
    expect(trimmed([1, 2, 3, 4, 5, 6000], 0.2)).toEqual(near);
    expect(near.kept).toBe(4);
  });

  it('replaces what it cuts off by the nearest value kept', () => {
    // 2, 2, 3, 4, 5, 5 around 3.5.
    expect(trimmed([1, 2, 3, 4, 5, 6], 0.2).winsorizedSquares).toBeCloseTo(9.5, 12);
  });

  it('refuses to cut off half or more, and nothing at all', () => {
    expect(() => trimmedMean([1, 2], 0.5)).toThrow(RangeError);
    expect(() => trimmedMean([1, 2], -0.1)).toThrow(RangeError);
    expect(() => trimmedMean([], 0.2)).toThrow(RangeError);
  });
});
