import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { Alternative } from '../../src/stats/mann-whitney-u.ts';
import { mannWhitneyU } from '../../src/stats/mann-whitney-u.ts';
import { tiedUTails, untiedUTails } from '../../src/stats/u-distribution.ts';
import { R, relativeError, SCIPY } from '../fixtures/stats/golden.ts';

const SIDES: readonly Alternative[] = ['two-sided', 'less', 'greater'];
const timing = fc.double({ min: 1e-3, max: 1e3, noNaN: true });
const coarse = fc.integer({ min: 0, max: 6 });

function upTo(length: number, limit: number): number[] {
  return Array.from({ length }, (_, index) => index + limit);
}

describe('mannWhitneyU', () => {
  it.each(Object.entries(SCIPY.pairs))('agrees with SciPy on the pair "%s"', (_, pair) => {
    for (const alternative of SIDES) {
      const normal = mannWhitneyU(pair.x, pair.y, { alternative, method: 'normal' });
      expect(normal).toEqual({
        u: pair.u,
        p: expect.closeTo(pair.normal[alternative], 12),
        method: 'normal',
      });
      const exactly = pair.exact ?? pair.permuted_u;
      if (exactly === undefined) continue;
      const exact = mannWhitneyU(pair.x, pair.y, { alternative, method: 'exact' });
      expect(exact).toEqual({ u: pair.u, p: expect.closeTo(exactly[alternative], 12), method: 'exact' });
    }
  });

  it('agrees with R without ties', () => {
    for (const { x, y, u, p } of R.shifts) {
      expect(mannWhitneyU(x, y)).toEqual({ u, p: expect.closeTo(p, 12), method: 'exact' });
    }
  });

  it("agrees with R's coin on exact one-sided p with ties", () => {
    for (const { x, y, less, greater } of R.tied_exact) {
      expect(mannWhitneyU(x, y, { alternative: 'less' }).p).toBeCloseTo(less, 12);
      expect(mannWhitneyU(x, y, { alternative: 'greater' }).p).toBeCloseTo(greater, 12);
    }
  });

  describe("gives benchstat's published values", () => {
    // golang.org/x/perf internal/stats, utest_test.go: U, then p for less, differs, greater.
    const s1 = [2, 1, 3, 5];
    const s2 = [12, 11, 13, 15];
    const s3 = [0, 4, 6, 7];
    const s4 = [2, 2, 2, 2];
    const s5 = [1, 1, 1, 1, 1];
    const l1 = upTo(500, 0).map((i) => 2 * i);
    const l2 = upTo(600, 0).map((i) => 2 * i - 41);
    const l3 = [...l1.slice(0, 30), ...l2.slice(30)];

    it.each([
      ['small, no ties', s1, s2, 0, 0.014285714285714289, 0.028571428571428577, 1],
      ['the same swapped', s2, s1, 16, 1, 0.028571428571428577, 0.014285714285714289],
      ['interleaved', s1, s3, 5, 0.24285714285714288, 0.48571428571428577, 0.8285714285714285],
      ['itself', s1, s1, 8, 0.6285714285714286, 1, 0.6285714285714286],
      ['tied with its own second', s1, s4, 10, 0.8571428571428571, 0.7142857142857143, 0.3571428571428571],
      ['large', l1, l2, 135250, 0.0024667680407086112, 0.0049335360814172224, 0.9975346930458906],
      ['large with itself', l1, l1, 125000, 0.5000436801680628, 1, 0.5000436801680628],
      ['large with ties', l1, l3, 134845, 0.0019351907119808942, 0.0038703814239617884, 0.9980659818257166],
    ])('%s', (_, x, y, u, less, differs, greater) => {
      expect(mannWhitneyU(x, y, { alternative: 'less' })).toMatchObject({ u, p: expect.closeTo(less, 12) });
      expect(mannWhitneyU(x, y)).toMatchObject({ u, p: expect.closeTo(differs, 12) });
      expect(mannWhitneyU(x, y, { alternative: 'greater' })).toMatchObject({
        p: expect.closeTo(greater, 12),
      });
    });

    it('except a two-sided p of 0, which no finite sample can have', () => {
      // s1 against five ones: benchstat's test file has p = 0 for "differs" beside 0.0476 for "greater".
      expect(mannWhitneyU(s1, s5, { alternative: 'greater' })).toMatchObject({
        u: 17.5,
        p: expect.closeTo(1 / 21, 12),
      });
      expect(mannWhitneyU(s1, s5, { alternative: 'less' }).p).toBe(1);
      expect(mannWhitneyU(s1, s5).p).toBeCloseTo(2 / 21, 12);
    });

    it('and 1 where benchstat refuses, when all values are equal', () => {
      expect(mannWhitneyU(s4, s4).p).toBe(1);
      expect(mannWhitneyU(s4, s4, { method: 'normal' }).p).toBe(1);
    });
  });

  it('counts pairs: U of one order and of the other add up to all', () => {
    fc.assert(
      fc.property(
        fc.array(coarse, { minLength: 1, maxLength: 12 }),
        fc.array(coarse, { minLength: 1, maxLength: 12 }),
        (x, y) => {
          const one = mannWhitneyU(x, y);
          const other = mannWhitneyU(y, x);
          expect(one.u + other.u).toBe(x.length * y.length);
          expect(one.p).toBeCloseTo(other.p, 12);
          expect(one.p).toBeGreaterThan(0);
          expect(one.p).toBeLessThanOrEqual(1);
        },
      ),
    );
  });

  it('sees only the order of the values', () => {
    fc.assert(
      fc.property(
        fc.array(timing, { minLength: 1, maxLength: 9 }),
        fc.array(timing, { minLength: 1, maxLength: 9 }),
        (x, y) => {
          expect(
            mannWhitneyU(
              x.map(Math.log2).map((v) => v * 4),
              y.map(Math.log2).map((v) => v * 4),
            ).p,
          ).toBeCloseTo(mannWhitneyU(x.map(Math.log2), y.map(Math.log2)).p, 12);
        },
      ),
    );
  });

  it('has one exact distribution, whether by partitions or by the shift algorithm', () => {
    for (const [n, m] of [
      [1, 1],
      [3, 4],
      [7, 5],
      [20, 20],
      [12, 25],
    ] as const) {
      const groups = Array.from({ length: n + m }, () => 1);
      for (const u of [0, 1, Math.floor((n * m) / 3), Math.floor((n * m) / 2), n * m]) {
        const tied = tiedUTails(u, n, m, groups);
        const untied = untiedUTails(u, n, m);
        expect(relativeError(tied.lower, untied.lower)).toBeLessThan(1e-11);
        expect(relativeError(tied.upper, untied.upper)).toBeLessThan(1e-11);
      }
    }
  });

  it('switches to the normal above benchstat’s limits, where it is off by no more than 0.002', () => {
    const x = Array.from({ length: 51 }, (_, i) => i);
    const y = x.map((value) => value + 6.5);
    expect(mannWhitneyU(x, y).method).toBe('normal');
    expect(mannWhitneyU(x.slice(1), y.slice(1)).method).toBe('exact');
    expect(Math.abs(mannWhitneyU(x, y).p - mannWhitneyU(x, y, { method: 'exact' }).p)).toBeLessThan(0.002);
    expect(mannWhitneyU([...x.slice(0, 25), 3], y.slice(0, 26)).method).toBe('normal');
  });

  it('refuses an exact test that would take too long', () => {
    const x = Array.from({ length: 501 }, (_, i) => i);
    expect(() =>
      mannWhitneyU(
        x,
        x.map((value) => value + 0.5),
        { method: 'exact' },
      ),
    ).toThrow(RangeError);
    expect(() => mannWhitneyU(x.slice(0, 101), x.slice(0, 101), { method: 'exact' })).toThrow(RangeError);
  });

  it('refuses an empty side and values without order', () => {
    expect(() => mannWhitneyU([], [1])).toThrow(RangeError);
    expect(() => mannWhitneyU([1], [NaN])).toThrow(RangeError);
  });
});
