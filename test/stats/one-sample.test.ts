import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { autocorrelation, effectiveSampleSize } from '../../src/stats/autocorrelation.ts';
import { bcaBootstrap } from '../../src/stats/bca-bootstrap.ts';
import { dipTest } from '../../src/stats/dip-test.ts';
import { halfSampleMode } from '../../src/stats/half-sample-mode.ts';
import { medianAbsoluteDeviation } from '../../src/stats/median-absolute-deviation.ts';
import { normalQuantile } from '../../src/stats/normal.ts';
import { Xoshiro128 } from '../../src/stats/random.ts';
import { mean } from '../../src/stats/summary.ts';
import { trend } from '../../src/stats/trend.ts';
import { R, SCIPY } from '../fixtures/stats/golden.ts';

const timing = fc.double({ min: 1e-3, max: 1e3, noNaN: true });
const sample = fc.array(timing, { minLength: 1, maxLength: 40 });

function normals(count: number, seed: number): number[] {
  const random = new Xoshiro128(seed);
  return Array.from({ length: count }, () => normalQuantile(random.nextOpen()));
}

describe('medianAbsoluteDeviation', () => {
  it("agrees with R's mad, whose constant is 1.4826", () => {
    for (const { x, mad } of R.samples) {
      expect(medianAbsoluteDeviation(x)).toBeCloseTo((mad * 1.4826022185056018) / 1.4826, 12);
    }
  });

  it('ignores where the sample lies and follows its scale', () => {
    fc.assert(
      fc.property(sample, (x) => {
        expect(medianAbsoluteDeviation(x.map((v) => 4 * v))).toBe(4 * medianAbsoluteDeviation(x));
        expect(medianAbsoluteDeviation(x.map((v) => v + 7))).toBeCloseTo(medianAbsoluteDeviation(x), 9);
      }),
    );
  });
});

describe('halfSampleMode', () => {
  it("agrees with modeest's hsm on samples without ties", () => {
    for (const { x, mode } of R.half_sample_mode) expect(halfSampleMode(x)).toBeCloseTo(mode, 10);
  });

  it('finds the crowd beside a long tail', () => {
    const crowd = Array.from({ length: 60 }, (_, i) => 10 + i / 1000);
    const tail = Array.from({ length: 40 }, (_, i) => 11 + i);
    expect(halfSampleMode([...tail, ...crowd])).toBeGreaterThanOrEqual(10);
    expect(halfSampleMode([...tail, ...crowd])).toBeLessThan(10.06);
  });

  it('treats one, two and three values as its authors do', () => {
    expect([halfSampleMode([3]), halfSampleMode([1, 2]), halfSampleMode([1, 2, 3])]).toEqual([3, 1.5, 2]);
    expect([halfSampleMode([1, 2, 5]), halfSampleMode([1, 4, 5])]).toEqual([1.5, 4.5]);
  });

  it('takes the middle one of equally dense halves', () => {
    expect(halfSampleMode([1, 2, 3, 4, 5])).toBe(3);
    expect(halfSampleMode([1, 1, 1, 5, 5, 5, 9, 9, 9])).toBe(5);
  });

  it('stays within the sample and moves with it', () => {
    fc.assert(
      fc.property(sample, (x) => {
        const mode = halfSampleMode(x);
        expect(mode).toBeGreaterThanOrEqual(Math.min(...x));
        expect(mode).toBeLessThanOrEqual(Math.max(...x));
        expect(halfSampleMode(x.map((v) => 2 * v))).toBe(2 * mode);
      }),
    );
  });
});

describe('bcaBootstrap', () => {
  it('agrees with SciPy on the mean of a skewed sample, within Monte Carlo error', () => {
    const { x, low, high } = SCIPY.bca_mean;
    const ours = bcaBootstrap(x, mean, { resamples: 40_000 });
    expect(ours.estimate).toBe(mean(x));
    expect(ours.low).toBeCloseTo(low, 1);
    expect(ours.high).toBeCloseTo(high, 1);
    expect(Math.abs(ours.low - low)).toBeLessThan(0.02);
    expect(Math.abs(ours.high - high)).toBeLessThan(0.02);
  });

  it('has the acceleration of the mean in closed form: the skewness over 6√n', () => {
    const x = [1, 1, 2, 3, 3, 4, 9, 20];
    const m = mean(x);
    const moment = (power: number): number => mean(x.map((v) => (v - m) ** power));
    const skewness = moment(3) / moment(2) ** 1.5;
    expect(bcaBootstrap(x, mean, { resamples: 10 }).acceleration).toBeCloseTo(
      skewness / (6 * Math.sqrt(8)),
      12,
    );
  });

  it('repeats itself for a seed, collapses on equal values, refuses a single one', () => {
    const x = [1, 5, 2, 8];
    expect(bcaBootstrap(x, mean, { resamples: 500 })).toEqual(bcaBootstrap(x, mean, { resamples: 500 }));
    expect(bcaBootstrap([2, 2, 2], mean, { resamples: 50 })).toMatchObject({ low: 2, high: 2 });
    expect(() => bcaBootstrap([1], mean)).toThrow(RangeError);
  });

  it('puts a statistic that no resample exceeds at the end of its interval', () => {
    const largest = (values: Float64Array): number => Math.max(...values);
    const { low, high } = bcaBootstrap([1, 2, 3, 10], largest, { resamples: 2_000 });
    expect(high).toBe(10);
    expect(low).toBeLessThanOrEqual(10);
  });
});

describe('autocorrelation', () => {
  it("agrees with R's acf", () => {
    const { x, acf } = R.autocorrelation;
    autocorrelation(x, acf.length - 1).forEach((value, lag) => expect(value).toBeCloseTo(acf[lag]!, 12));
  });

  it('is 1 at lag 0, and nothing else for a constant', () => {
    expect([...autocorrelation([3, 3, 3], 2)]).toEqual([1, 0, 0]);
    expect(() => autocorrelation([1, 2], 2)).toThrow(RangeError);
  });
});

describe('effectiveSampleSize', () => {
  it('finds what an autoregressive series is worth: n(1 − φ)/(1 + φ)', () => {
    for (const phi of [0.3, 0.6, 0.9]) {
      let value = 0;
      const series = normals(20_000, 5).map((shock) => (value = phi * value + shock));
      const expected = (20_000 * (1 - phi)) / (1 + phi);
      expect(effectiveSampleSize(series) / expected).toBeGreaterThan(0.85);
      expect(effectiveSampleSize(series) / expected).toBeLessThan(1.15);
    }
  });

  it('is about n for independent values, and never more', () => {
    const size = effectiveSampleSize(normals(5_000, 3));
    expect(size).toBeGreaterThan(4_000);
    expect(size).toBeLessThanOrEqual(5_000);
    expect(effectiveSampleSize(Array.from({ length: 100 }, (_, i) => i % 2))).toBe(100);
    expect(effectiveSampleSize([7])).toBe(1);
  });
});

describe('dipTest', () => {
  it("agrees with R's diptest", () => {
    for (const { x, dip } of R.samples) expect(dipTest(x, { simulations: 1 }).dip).toBeCloseTo(dip, 12);
  });

  it('tells two modes from one', () => {
    const one = normals(60, 1);
    const two = [...normals(30, 2), ...normals(30, 3).map((v) => v + 6)];
    expect(dipTest(one, { simulations: 499 }).p).toBeGreaterThan(0.1);
    expect(dipTest(two, { simulations: 499 }).p).toBeLessThan(0.01);
  });

  it('gives uniform samples a uniform p', () => {
    const random = new Xoshiro128(9);
    let below = 0;
    for (let i = 0; i < 200; i++) {
      const uniform = Array.from({ length: 20 }, () => random.nextOpen());
      if (dipTest(uniform, { simulations: 99, seed: i }).p <= 0.2) below++;
    }
    // 40 expected, standard deviation 5.7.
    expect(below).toBeGreaterThan(20);
    expect(below).toBeLessThan(60);
  });

  it('lies between 1/(2n) and 1/4, whatever the scale and direction', () => {
    fc.assert(
      fc.property(sample, (x) => {
        const { dip } = dipTest(x, { simulations: 1 });
        expect(dip).toBeGreaterThanOrEqual(1 / (2 * x.length) - 1e-15);
        expect(dip).toBeLessThanOrEqual(Math.max(0.25, 1 / (2 * x.length)) + 1e-12);
        expect(
          dipTest(
            x.map((v) => -4 * v),
            { simulations: 1 },
          ).dip,
        ).toBeCloseTo(dip, 12);
      }),
    );
    expect(() => dipTest([1], { simulations: 0 })).toThrow(RangeError);
  });
});

describe('trend', () => {
  it("has the Theil-Sen slope and interval of SciPy's theilslopes", () => {
    for (const { x, slope, low, high } of Object.values(SCIPY.trends)) {
      const ours = trend(x);
      expect(ours.slope).toBeCloseTo(slope, 12);
      expect(ours.slopeLow).toBeCloseTo(low, 12);
      expect(ours.slopeHigh).toBeCloseTo(high, 12);
    }
  });

  it("has the p of R's Kendall test against time, with ties and continuity", () => {
    for (const { x, p } of R.trends) expect(trend(x).p).toBeCloseTo(p, 12);
  });

  it('turns around with the series', () => {
    fc.assert(
      fc.property(fc.array(timing, { minLength: 3, maxLength: 25 }), (x) => {
        const ahead = trend(x);
        const back = trend(x.toReversed());
        expect(back.s).toBe(-ahead.s + 0);
        expect(back.p).toBeCloseTo(ahead.p, 12);
        expect(back.slope).toBeCloseTo(-ahead.slope, 9);
      }),
    );
  });

  it('calls a monotone series a trend and a constant none', () => {
    const rising = trend([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(rising).toMatchObject({ s: 28, tau: 1, slope: 1, slopeLow: 1, slopeHigh: 1 });
    expect(rising.p).toBeLessThan(0.001);
    expect(trend([5, 5, 5, 5])).toMatchObject({ s: 0, p: 1, slope: 0 });
    expect(() => trend([1, 2])).toThrow(RangeError);
  });
});
