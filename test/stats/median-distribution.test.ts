import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { binomialUpperTail } from '../../src/stats/binomial.ts';
import { bootstrapMedian } from '../../src/stats/bootstrap-median.ts';
import { MedianDistribution } from '../../src/stats/median-distribution.ts';
import { sorted } from '../../src/stats/order.ts';
import { median } from '../../src/stats/quantile.ts';
import { SCIPY } from '../fixtures/stats/golden.ts';

/** Every resample of the values, and the share of their medians at or below each. */
function enumerated(values: readonly number[]): (at: number) => number {
  let medians: number[][] = [[]];
  for (let k = 0; k < values.length; k++)
    medians = medians.flatMap((drawn) => values.map((value) => [...drawn, value]));
  const all = medians.map((drawn) => median(drawn));
  return (at) => all.filter((m) => m <= at).length / all.length;
}

describe('the exact bootstrap of the median', () => {
  it.each([
    [[3]],
    [[1, 2]],
    [[1, 2, 4]],
    [[1, 2, 4, 8]],
    [[1, 1, 5, 7]],
    [[1, 2, 4, 8, 16]],
    [[1, 2, 4, 8, 16, 32]],
  ])('is what counting every resample of %j gives', (values) => {
    const share = enumerated(values);
    const exact = new MedianDistribution(sorted(values));
    const places = values.flatMap((a) => values.map((b) => (a + b) / 2));
    for (const at of places) expect(exact.cdf(at), `P(median ≤ ${at})`).toBeCloseTo(share(at), 11);
  });

  it('is a binomial tail for odd n', () => {
    const values = Array.from({ length: 101 }, (_, i) => i + 1);
    const exact = new MedianDistribution(sorted(values));
    for (const k of [35, 45, 51, 60]) {
      // At least 51 of 101 draws at or below the k-th value.
      expect(exact.cdf(k)).toBeCloseTo(binomialUpperTail(50, 101, k / 101), 11);
    }
  });

  it('holds for thousands of values, odd and even alike', () => {
    for (const count of [9_999, 10_000, 19_999, 20_000]) {
      const exact = new MedianDistribution(Float64Array.from({ length: count }, (_, i) => i));
      const middle = (count - 1) / 2;
      expect(exact.cdf(middle)).toBeGreaterThan(0.5);
      expect(exact.cdf(middle)).toBeLessThan(0.52);
      // The median of n uniform places has standard deviation √n/2.
      expect(exact.quantile(0.975) - middle).toBeCloseTo((1.96 * Math.sqrt(count)) / 2, -0.5);
      expect(exact.quantile(1)).toBeGreaterThan(middle);
    }
  });

  it('lies within the Monte Carlo error of 200,000 resamples by SciPy', () => {
    for (const { x, low, high, resamples } of SCIPY.medians) agrees(x, { low, high }, resamples);
  });

  it('lies within the Monte Carlo error of its own sampled form', () => {
    const timing = fc.double({ min: 1e-3, max: 1e3, noNaN: true });
    fc.assert(
      fc.property(fc.array(timing, { minLength: 1, maxLength: 60 }), fc.integer(), (x, seed) => {
        agrees(x, bootstrapMedian(x, { method: 'sampled', resamples: 4_000, seed }), 4_000);
      }),
      { numRuns: 60 },
    );
  });

  it('gives neighbouring bounds that its own distribution confirms', () => {
    const x = SCIPY.medians[0]!.x;
    const exact = new MedianDistribution(sorted(x));
    const { low, high } = bootstrapMedian(x);
    for (const [bound, level] of [
      [low, 0.025],
      [high, 0.975],
    ] as const) {
      expect(exact.cdf(bound)).toBeGreaterThanOrEqual(level);
      expect(exact.cdf(bound * (1 - 1e-12))).toBeLessThan(level);
    }
  });

  it('draws when asked to, or when there are too many values', () => {
    const many = Float64Array.from({ length: 20_001 }, (_, i) => i);
    expect(bootstrapMedian(many, { resamples: 100 })).toEqual(
      bootstrapMedian(many, { resamples: 100, method: 'sampled' }),
    );
    expect(() => bootstrapMedian(many, { method: 'exact' })).toThrow(RangeError);
  });
});

/** A sampled 95 % interval agrees when its ends are quantiles of levels within five standard errors of 2.5 and 97.5 %. */
function agrees(x: readonly number[], sampled: { low: number; high: number }, resamples: number): void {
  const exact = new MedianDistribution(sorted(x));
  const error = 5 * Math.sqrt((0.025 * 0.975) / resamples);
  for (const [bound, level] of [
    [sampled.low, 0.025],
    [sampled.high, 0.975],
  ] as const) {
    const slack = 1e-9 * Math.abs(bound);
    expect(exact.quantile(Math.max(0, level - error))).toBeLessThanOrEqual(bound + slack);
    expect(exact.quantile(Math.min(1, level + error))).toBeGreaterThanOrEqual(bound - slack);
  }
}
