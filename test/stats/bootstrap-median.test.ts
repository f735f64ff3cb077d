import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { bootstrapMedian } from '../../src/stats/bootstrap-median.ts';
import { attentionSeries } from '../fixtures/h200-attention.ts';

const timing = fc.double({ min: 1e-3, max: 1e3, noNaN: true });

describe('bootstrapMedian', () => {
  it('agrees with SciPy on 1 … 101', () => {
    // scipy.stats.bootstrap((x,), numpy.median, method='percentile', n_resamples=200000): (41.0, 61.0).
    const values = Array.from({ length: 101 }, (_, index) => index + 1);
    expect(bootstrapMedian(values)).toEqual({ low: 41, high: 61, median: 51 });
  });

  it('agrees with SciPy on a hundred timings of a real kernel', () => {
    // The same call on the first series of the fixture: (0.053216, 0.053408).
    const [first] = attentionSeries('B32_H8_S512_D64');
    const { low, high, median } = bootstrapMedian(first!.samples_ms);
    expect(low).toBeCloseTo(0.053216, 10);
    expect(high).toBeCloseTo(0.053408, 10);
    expect(median).toBeCloseTo(0.053312, 10);
  });

  it('gives the same interval every time, and for any order of the samples', () => {
    fc.assert(
      fc.property(fc.array(timing, { minLength: 1, maxLength: 60 }), (samples) => {
        const options = { resamples: 200 };
        expect(bootstrapMedian(samples.toReversed(), options)).toEqual(bootstrapMedian(samples, options));
      }),
    );
  });

  it('moves and stretches with the samples', () => {
    fc.assert(
      fc.property(fc.array(timing, { minLength: 1, maxLength: 60 }), (samples) => {
        const options = { resamples: 200 };
        const plain = bootstrapMedian(samples, options);
        const doubled = bootstrapMedian(
          samples.map((sample) => 2 * sample),
          options,
        );
        expect(doubled).toEqual({ low: 2 * plain.low, high: 2 * plain.high, median: 2 * plain.median });
      }),
    );
  });

  it('widens with the confidence asked for', () => {
    const values = Array.from({ length: 40 }, (_, index) => index ** 1.5);
    const narrow = bootstrapMedian(values, { confidence: 0.5 });
    const wide = bootstrapMedian(values, { confidence: 0.99 });
    expect(wide.low).toBeLessThan(narrow.low);
    expect(wide.high).toBeGreaterThan(narrow.high);
  });

  it('refuses options that mean nothing', () => {
    expect(() => bootstrapMedian([1], { resamples: 0 })).toThrow(RangeError);
    expect(() => bootstrapMedian([1], { confidence: 1 })).toThrow(RangeError);
    expect(() => bootstrapMedian([])).toThrow(RangeError);
  });
});
