import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { binomialCdf, binomialUpperTail } from '../../src/stats/binomial.ts';
import { incompleteBeta } from '../../src/stats/incomplete-beta.ts';
import { logGamma } from '../../src/stats/log-gamma.ts';
import { noncentralTCdf } from '../../src/stats/noncentral-t.ts';
import { normalCdf, normalQuantile, normalUpperTail } from '../../src/stats/normal.ts';
import { studentTCdf, studentTQuantile, studentTUpperTail } from '../../src/stats/student-t.ts';
import { R, relativeError } from '../fixtures/stats/golden.ts';

describe('the normal distribution', () => {
  it('agrees with R to thirteen digits, far into the tail too', () => {
    for (const { z, cdf } of R.normal) {
      // At −38 the probability is below the smallest normal double and has no digits to agree in.
      if (z > -38) expect(relativeError(normalCdf(z), cdf), `Φ(${z})`).toBeLessThan(1e-13);
      expect(normalUpperTail(-z)).toBe(normalCdf(z));
    }
  });

  it('has the quantiles that R has', () => {
    for (const { p, z } of R.normal_quantile) {
      expect(relativeError(normalQuantile(p), z), `Φ⁻¹(${p})`).toBeLessThan(1e-12);
    }
    expect([normalQuantile(0), normalQuantile(0.5), normalQuantile(1)]).toEqual([-Infinity, 0, Infinity]);
  });

  it('has quantiles that undo its probabilities', () => {
    fc.assert(
      fc.property(fc.double({ min: -8, max: 5, noNaN: true }), (z) => {
        expect(Math.abs(normalQuantile(normalCdf(z)) - z)).toBeLessThan(1e-9);
      }),
    );
  });
});

describe("Student's t distribution", () => {
  it('agrees with R to eleven digits up to 10,000 degrees of freedom, and to nine at ten million', () => {
    for (const { t, df, p } of R.t_upper) {
      if (p < 1e-290) continue;
      const tolerance = df <= 1e4 ? 1e-11 : 1e-9;
      expect(relativeError(studentTUpperTail(t, df), p), `t=${t} df=${df}`).toBeLessThan(tolerance);
    }
  });

  it('has the quantiles that R has', () => {
    for (const { p, df, t } of R.t_quantile) {
      expect(relativeError(studentTQuantile(p, df), t), `p=${p} df=${df}`).toBeLessThan(1e-10);
    }
  });

  it('is symmetric, and normal for infinitely many degrees of freedom', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -50, max: 50, noNaN: true }),
        fc.double({ min: 0.5, max: 1e4, noNaN: true }),
        (t, df) => {
          expect(studentTCdf(t, df)).toBe(studentTUpperTail(-t, df));
          expect(studentTCdf(t, df) + studentTCdf(-t, df)).toBeCloseTo(1, 13);
        },
      ),
    );
    expect(studentTCdf(1.5, Infinity)).toBe(normalCdf(1.5));
    expect(studentTQuantile(0.9, Infinity)).toBe(normalQuantile(0.9));
    expect(studentTUpperTail(Infinity, 3)).toBe(0);
    expect(studentTUpperTail(-Infinity, 3)).toBe(1);
    expect([0, 0.5, 1].map((p) => studentTQuantile(p, 5))).toEqual([-Infinity, 0, Infinity]);
  });

  it('gives the noncentral probabilities of R', () => {
    // R's own algorithm (AS 243) claims an absolute error of 1e-12.
    for (const { t, df, ncp, p } of R.noncentral_t) {
      expect(Math.abs(noncentralTCdf(t, df, ncp) - p), `t=${t} df=${df} δ=${ncp}`).toBeLessThan(1e-10);
    }
  });

  it('refuses what is no probability or degree of freedom', () => {
    expect(() => studentTQuantile(1.1, 5)).toThrow(RangeError);
    expect(() => studentTCdf(1, 0)).toThrow(RangeError);
    expect(() => studentTCdf(NaN, 3)).toThrow(RangeError);
    expect(() => normalQuantile(NaN)).toThrow(RangeError);
  });
});

describe('incompleteBeta', () => {
  it('agrees with R to ten digits for parameters up to a million', () => {
    for (const { x, a, b, value } of R.beta) {
      expect(relativeError(incompleteBeta(x, a, b), value), `I_${x}(${a}, ${b})`).toBeLessThan(1e-10);
    }
  });

  it('mirrors: I_x(a, b) = 1 − I_(1−x)(b, a)', () => {
    const shape = fc.double({ min: 0.1, max: 500, noNaN: true });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 20 }), shape, shape, (ticks, a, b) => {
        const x = ticks / 2 ** 20;
        expect(incompleteBeta(x, a, b) + incompleteBeta(1 - x, b, a)).toBeCloseTo(1, 10);
      }),
    );
  });

  it('refuses what is outside its domain', () => {
    expect(() => incompleteBeta(1.5, 1, 1)).toThrow(RangeError);
    expect(() => incompleteBeta(0.5, 0, 1)).toThrow(RangeError);
  });
});

describe('the binomial distribution', () => {
  it('has both tails as R has them', () => {
    for (const { k, n, p, lower, upper } of R.binomial) {
      expect(relativeError(binomialCdf(k, n, p), lower), `P(X ≤ ${k}) n=${n} p=${p}`).toBeLessThan(1e-11);
      expect(relativeError(binomialUpperTail(k, n, p), upper), `P(X > ${k}) n=${n} p=${p}`).toBeLessThan(
        1e-11,
      );
    }
  });

  it('is certain at its ends', () => {
    expect([binomialCdf(-1, 5, 0.5), binomialCdf(5, 5, 0.5), binomialUpperTail(5, 5, 0.5)]).toEqual([
      0, 1, 0,
    ]);
    expect(() => binomialCdf(1, 2.5, 0.5)).toThrow(RangeError);
  });
});

describe('logGamma', () => {
  it('gives factorials and Γ(½)', () => {
    expect(logGamma(1)).toBe(0);
    expect(logGamma(0.5)).toBeCloseTo(0.5 * Math.log(Math.PI), 14);
    let factorial = 1;
    for (let n = 2; n < 20; n++) {
      factorial *= n;
      expect(relativeError(logGamma(n + 1), Math.log(factorial))).toBeLessThan(1e-14);
    }
    expect(() => logGamma(0)).toThrow(RangeError);
  });
});
