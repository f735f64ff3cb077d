import { describe, expect, it } from 'vitest';

import { Xoshiro128 } from '../../src/stats/random.ts';
import { ResampleMedian } from '../../src/stats/resample-median.ts';

/** Shares of the drawn medians, by value. */
function shares(values: readonly number[], draws: number): Map<number, number> {
  const ascending = Float64Array.from(values);
  const resample = new ResampleMedian(values.length);
  const random = new Xoshiro128(11);
  const counts = new Map<number, number>();
  for (let i = 0; i < draws; i++) {
    const drawn = resample.draw(ascending, random);
    counts.set(drawn, (counts.get(drawn) ?? 0) + 1 / draws);
  }
  return counts;
}

const DRAWS = 200_000;
/** Four standard errors of a share near one half at that many draws. */
const TOLERANCE = 4 * Math.sqrt(0.25 / DRAWS);

describe('ResampleMedian', () => {
  it('draws a single value as itself', () => {
    expect(shares([3], 10)).toEqual(new Map([[3, expect.closeTo(1)]]));
  });

  it('draws the medians of two values as often as the four resamples of two have them', () => {
    const drawn = shares([1, 2], DRAWS);
    expect(drawn.get(1)).toBeCloseTo(0.25, 2);
    expect(drawn.get(1.5)).toBeCloseTo(0.5, 2);
    expect(drawn.get(2)).toBeCloseTo(0.25, 2);
  });

  it('draws the medians of four values as often as all 256 resamples have them', () => {
    // Python: Counter(numpy.median(t) for t in itertools.product([1, 2, 4, 8], repeat=4)).
    const resamples = { 1: 13, 1.5: 30, 2: 37, 2.5: 18, 3: 54, 4: 37, 4.5: 6, 5: 18, 6: 30, 8: 13 };
    const drawn = shares([1, 2, 4, 8], DRAWS);
    expect(drawn.size).toBe(Object.keys(resamples).length);
    for (const [value, count] of Object.entries(resamples)) {
      expect(Math.abs(drawn.get(Number(value))! - count / 256)).toBeLessThan(TOLERANCE);
    }
  });

  it('draws the median of 101 values by the binomial law of its rank', () => {
    // scipy.stats.binom.sf(50, 101, k / 101): the chance that the median's rank is at most k.
    const cumulative = {
      40: 0.017089160837818113,
      45: 0.13555040645848818,
      48: 0.3088693266967724,
      51: 0.539729694768751,
      54: 0.7577532308619971,
      57: 0.9035722538547851,
      62: 0.9899611378492588,
    };
    const drawn = shares(
      Array.from({ length: 101 }, (_, index) => index + 1),
      DRAWS,
    );
    for (const [rank, expected] of Object.entries(cumulative)) {
      let share = 0;
      for (const [value, part] of drawn) if (value <= Number(rank)) share += part;
      expect(Math.abs(share - expected)).toBeLessThan(TOLERANCE);
    }
  });

  it('stays near the middle of a hundred thousand values', () => {
    const drawn = shares(
      Array.from({ length: 100_000 }, (_, index) => index),
      1000,
    );
    // The rank's standard deviation is √n / 2 = 158.
    for (const value of drawn.keys()) expect(Math.abs(value - 50_000)).toBeLessThan(6 * 158);
    expect(drawn.size).toBeGreaterThan(500);
  });
});
