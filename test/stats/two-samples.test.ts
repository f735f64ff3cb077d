import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { cliffsDelta, cliffsDeltaBand } from '../../src/stats/cliffs-delta.ts';
import { equivalence } from '../../src/stats/equivalence.ts';
import { hodgesLehmann } from '../../src/stats/hodges-lehmann.ts';
import { mannWhitneyU } from '../../src/stats/mann-whitney-u.ts';
import { permutationTest } from '../../src/stats/permutation-test.ts';
import { median } from '../../src/stats/quantile.ts';
import { welchT } from '../../src/stats/welch-t.ts';
import { pooledT } from '../../src/stats/windowed-change-points.ts';
import { R, SCIPY } from '../fixtures/stats/golden.ts';

const SIDES = ['two-sided', 'less', 'greater'] as const;
const timing = fc.double({ min: 1e-3, max: 1e3, noNaN: true });
const sample = fc.array(timing, { minLength: 2, maxLength: 30 });
const coarse = fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 30 });
const pairs = Object.entries(SCIPY.pairs);

describe('cliffsDelta', () => {
  it('is positive when the candidate is faster', () => {
    expect(cliffsDelta([10, 11, 12], [7, 8, 9])).toBe(1);
    expect(cliffsDelta([7, 8, 9], [10, 11, 12])).toBe(-1);
    expect(cliffsDelta([1, 2, 3], [1, 2, 3])).toBe(0);
  });

  it.each(pairs)('agrees with NumPy over all pairs of "%s"', (_, { x, y, delta }) => {
    expect(cliffsDelta(x, y)).toBeCloseTo(delta, 14);
  });

  it('counts every pair, ties included', () => {
    fc.assert(
      fc.property(coarse, coarse, (x, y) => {
        let sum = 0;
        for (const a of x) for (const b of y) sum += Math.sign(a - b);
        expect(cliffsDelta(x, y)).toBeCloseTo(sum / (x.length * y.length), 13);
        expect(cliffsDelta(y, x)).toBe(-cliffsDelta(x, y) + 0);
        expect((2 * mannWhitneyU(x, y).u) / (x.length * y.length) - 1).toBeCloseTo(cliffsDelta(x, y), 13);
      }),
    );
  });

  it('names its size by the usual bands', () => {
    expect([0, -0.147, 0.32, 0.33, -0.474, 1].map(cliffsDeltaBand)).toEqual([
      'negligible',
      'small',
      'small',
      'medium',
      'large',
      'large',
    ]);
    expect(() => cliffsDeltaBand(1.1)).toThrow(RangeError);
  });
});

describe('hodgesLehmann', () => {
  it("agrees with R's wilcox.test", () => {
    for (const { x, y, shift, low, high } of R.shifts) {
      const ours = hodgesLehmann(x, y);
      expect(ours.shift).toBeCloseTo(shift, 12);
      expect(ours.low).toBeCloseTo(low, 12);
      expect(ours.high).toBeCloseTo(high, 12);
    }
  });

  it('says when few values cannot cover what was asked for', () => {
    // Three a side: P(U = 0) = 1/20 in each tail.
    expect(hodgesLehmann([1, 2, 3], [11, 12, 14]).confidence).toBeCloseTo(0.9, 12);
    expect(hodgesLehmann([1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11, 12]).confidence).toBeGreaterThan(0.95);
  });

  it('is the median of all differences, within its interval', () => {
    fc.assert(
      fc.property(sample, sample, (x, y) => {
        const { shift, low, high } = hodgesLehmann(x, y);
        expect(shift).toBeCloseTo(median(x.flatMap((a) => y.map((b) => a - b))), 10);
        expect(low).toBeLessThanOrEqual(shift);
        expect(high).toBeGreaterThanOrEqual(shift);
      }),
    );
  });

  it('takes large samples by the normal rule, within two ranks of the exact one', () => {
    const { x, y, shift, low, high } = R.large_shift;
    const ours = hodgesLehmann(x, y);
    expect(ours.shift).toBeCloseTo(shift, 12);
    expect(ours.confidence).toBeCloseTo(0.95, 3);
    const differences = x.flatMap((a) => y.map((b) => a - b));
    const between = (a: number, b: number): number =>
      differences.filter((d) => d > Math.min(a, b) + 1e-9 && d < Math.max(a, b) - 1e-9).length;
    expect(between(ours.low, low)).toBeLessThan(2);
    expect(between(ours.high, high)).toBeLessThan(2);
    expect(() => hodgesLehmann(x, y, { confidence: 1 })).toThrow(RangeError);
  });
});

describe('welchT', () => {
  it.each(pairs)('agrees with SciPy on "%s"', (_, { x, y, welch }) => {
    for (const alternative of SIDES) {
      const { t, p } = welchT(x, y, { alternative });
      expect(t).toBeCloseTo(welch.t, 10);
      expect(p).toBeCloseTo(welch[alternative], 11);
    }
  });

  it("agrees with R's t.test on degrees of freedom and interval", () => {
    for (const { x, y, welch } of R.shifts) {
      const ours = welchT(x, y);
      expect(ours.df).toBeCloseTo(welch.df, 9);
      expect(ours.p).toBeCloseTo(welch.p, 11);
      expect(ours.low).toBeCloseTo(welch.low, 10);
      expect(ours.high).toBeCloseTo(welch.high, 10);
    }
  });

  it('turns around with the samples, and has 0 in its interval exactly when p is above α', () => {
    fc.assert(
      fc.property(sample, sample, (x, y) => {
        const one = welchT(x, y);
        const other = welchT(y, x);
        expect(other.difference).toBeCloseTo(-one.difference, 9);
        expect(other.p).toBeCloseTo(one.p, 9);
        if (one.standardError > 0 && Math.abs(one.p - 0.05) > 1e-9) {
          expect(one.low <= 0 && one.high >= 0).toBe(one.p > 0.05);
        }
      }),
    );
  });

  it('decides between samples without variation by their values', () => {
    expect(welchT([1, 1], [1, 1])).toMatchObject({ t: 0, p: 1, low: 0, high: 0 });
    expect(welchT([2, 2], [1, 1])).toMatchObject({ t: Infinity, p: 0, low: 1, high: 1 });
    expect(() => welchT([1], [1, 2])).toThrow(RangeError);
  });
});

describe('pooledT', () => {
  it.each(pairs)('agrees with SciPy on "%s"', (_, { x, y, pooled_t }) => {
    expect(pooledT(Float64Array.from(x), Float64Array.from(y))).toBeCloseTo(pooled_t, 11);
  });
});

describe('equivalence', () => {
  it.each(pairs)('agrees with two one-sided tests of SciPy on "%s"', (_, { x, y, tost }) => {
    expect(equivalence(x, y, { low: -tost.bound, high: tost.bound }).p).toBeCloseTo(tost.p, 11);
  });

  it('is shown exactly when the 1 − 2α interval lies within the bounds', () => {
    fc.assert(
      fc.property(sample, sample, fc.double({ min: 1, max: 500, noNaN: true }), (x, y, bound) => {
        const { equivalent, interval, p } = equivalence(x, y, { low: -bound, high: bound });
        if (Math.abs(p - 0.05) < 1e-9) return;
        expect(equivalent).toBe(interval.low > -bound && interval.high < bound);
      }),
    );
  });

  it('refuses bounds that bound nothing', () => {
    expect(() => equivalence([1, 2], [1, 2], { low: 1, high: 1 })).toThrow(RangeError);
    expect(() => equivalence([1, 2], [1, 2], { low: -1, high: 1, alpha: 0.5 })).toThrow(RangeError);
  });
});

describe('permutationTest', () => {
  it.each(pairs.filter(([, pair]) => pair.permuted_means !== undefined))(
    'agrees with SciPy over every deal of "%s"',
    (_, { x, y, permuted_means }) => {
      for (const alternative of SIDES) {
        expect(permutationTest(x, y, { alternative })).toEqual({
          statistic: expect.any(Number) as number,
          p: expect.closeTo(permuted_means![alternative], 12) as number,
          method: 'exact',
        });
      }
    },
  );

  it('samples many deals to within their Monte Carlo error', () => {
    const { x, y, permuted_means } = SCIPY.pairs['small untied']!;
    const { p, method } = permutationTest(x, y, { resamples: 400, alternative: 'greater' });
    const exact = permuted_means!.greater;
    expect(method).toBe('sampled');
    expect(Math.abs(p - exact)).toBeLessThan(4 * Math.sqrt(exact / 400));
    expect(permutationTest(x, y, { resamples: 400, alternative: 'greater' }).p).toBe(p);
  });

  it('takes deals that differ by rounding only as ties', () => {
    // Every deal of equal values has the same means, but their sums may round differently.
    expect(permutationTest([0.1, 0.1, 0.1], [0.1, 0.1, 0.1, 0.1]).p).toBe(1);
    // Both tails hold the observed 0 and everything on their side.
    expect(permutationTest([0.1, 0.4], [0.2, 0.3]).p).toBe(1);
  });

  it('never gives a sampled p of 0', () => {
    const x = Array.from({ length: 20 }, (_, i) => i);
    expect(
      permutationTest(
        x,
        x.map((v) => v + 1000),
        { resamples: 99 },
      ).p,
    ).toBe(0.02);
  });

  it('takes any statistic', () => {
    const spread = (a: Float64Array, b: Float64Array): number =>
      Math.max(...a) - Math.min(...a) - (Math.max(...b) - Math.min(...b));
    // Of the 20 deals only {1, 10, 9} and the like spread as much: counted by hand, 4 of 20 have both 1 and 10 in it.
    expect(
      permutationTest([1, 5, 10], [4, 6, 7], { statistic: spread, alternative: 'greater' }).p,
    ).toBeLessThan(0.25);
    expect(() => permutationTest([1], [2], { statistic: () => NaN })).toThrow(RangeError);
    expect(() => permutationTest([1], [2], { resamples: 0 })).toThrow(RangeError);
  });
});
