import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { median, quantile, quantileInPlace, quantileOfSorted } from '../../src/stats/quantile.ts';

/** Ten timings of an attention kernel on an H200, in ms. */
const TIMINGS = [
  0.053312, 0.053216, 0.054048, 0.052928, 0.082176, 0.053024, 0.0536, 0.05328, 0.06832, 0.053696,
];
const finite = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 });

describe('quantile', () => {
  // numpy.quantile(TIMINGS, p), NumPy 2.4.6.
  it.each([
    [0, 0.052928],
    [0.025, 0.0529496],
    [0.05, 0.0529712],
    [0.25, 0.053232],
    [0.5, 0.053456],
    [0.75, 0.05396],
    [0.95, 0.0759408],
    [0.975, 0.0790584],
    [0.99, 0.08092896],
    [1, 0.082176],
  ])('at %f agrees with NumPy', (probability, expected) => {
    expect(quantile(TIMINGS, probability)).toBeCloseTo(expected, 14);
  });

  it('leaves its input as it was', () => {
    const values = [3, 1, 2];
    expect(median(values)).toBe(2);
    expect(values).toEqual([3, 1, 2]);
  });

  it('is exactly the value where all values are equal', () => {
    fc.assert(
      fc.property(
        finite,
        fc.integer({ min: 1, max: 9 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (v, n, p) => quantile(new Float64Array(n).fill(v), p) === v,
      ),
    );
  });

  it('rises with the probability and stays within the sample', () => {
    const probability = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.array(finite, { minLength: 1 }), probability, probability, (values, p, q) => {
        const [low, high] = [quantile(values, Math.min(p, q)), quantile(values, Math.max(p, q))];
        return Math.min(...values) <= low && low <= high && high <= Math.max(...values);
      }),
    );
  });

  it('is the same whether the values are sorted or selected from', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -20, max: 20 }), { minLength: 1, maxLength: 200 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (values, p) => {
          const ascending = Float64Array.from(values).sort();
          expect(quantileInPlace(Float64Array.from(values), p)).toBe(quantileOfSorted(ascending, p));
        },
      ),
    );
  });

  it.each([
    ['no values', [], 0.5],
    ['a NaN', [1, Number.NaN], 0.5],
    ['an infinity', [1, Number.POSITIVE_INFINITY], 0.5],
    ['a probability above 1', [1], 1.1],
    ['a probability that is no number', [1], Number.NaN],
  ])('refuses %s', (_, values, probability) => {
    expect(() => quantile(values, probability)).toThrow(RangeError);
  });
});
