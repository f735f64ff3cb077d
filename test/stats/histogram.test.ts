import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { histogram } from '../../src/stats/histogram.ts';

describe('histogram', () => {
  it('counts into equal bins from the smallest to the largest value', () => {
    expect(histogram([0, 1, 2, 3, 4, 5, 6, 7], 4)).toEqual({
      low: 0,
      high: 7,
      counts: [2, 2, 2, 2],
      below: 0,
      above: 0,
    });
  });

  it('counts apart what is far out', () => {
    const result = histogram([10, 11, 12, 13, 14, 1000, -500], 4);
    expect([result.low, result.high]).toEqual([10, 14]);
    expect([result.below, result.above]).toEqual([1, 1]);
  });

  it('puts equal values into one bin', () => {
    expect(histogram([5, 5, 5], 3).counts).toEqual([3, 0, 0]);
  });

  it('keeps the whole range where half of the values are equal', () => {
    expect(histogram([5, 5, 5, 5, 5, 9], 2)).toEqual({ low: 5, high: 9, counts: [5, 1], below: 0, above: 0 });
  });

  it('loses no value', () => {
    const values = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 }), {
      minLength: 1,
    });
    fc.assert(
      fc.property(values, fc.integer({ min: 1, max: 30 }), (sample, bins) => {
        const { counts, below, above } = histogram(sample, bins);
        expect(counts.reduce((sum, count) => sum + count, below + above)).toBe(sample.length);
      }),
    );
  });
});
