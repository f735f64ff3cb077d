import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { qnScale } from '../../src/stats/qn-scale.ts';
import { Xoshiro128 } from '../../src/stats/random.ts';

describe('qnScale', () => {
  // The definition with itertools.combinations in Python, times 2.2219 and the small-sample factor.
  it.each([
    [[10, 12], 1.7730762],
    [[1, 2, 4, 7, 100], 5.6258508],
    [[3, 1, 4, 1, 5, 9, 2, 6, 5, 3], 3.220144927536232],
    [[3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5], 1.9710403225806454],
  ])('of %j is as defined', (values, expected) => {
    expect(qnScale(values)).toBeCloseTo(expected, 12);
  });

  it('estimates the standard deviation of normal values', () => {
    const random = new Xoshiro128(9);
    const values = Array.from(
      { length: 600 },
      () => 5 * Math.sqrt(-2 * Math.log(random.nextOpen())) * Math.cos(2 * Math.PI * random.nextOpen()),
    );
    expect(qnScale(values)).toBeGreaterThan(4.5);
    expect(qnScale(values)).toBeLessThan(5.5);
  });

  it('is not moved by one wild value among five', () => {
    expect(qnScale([10, 11, 12, 13, 1e9])).toBeLessThan(4);
  });

  it('does not change when all values move, and grows with them', () => {
    const values = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 2, maxLength: 20 });
    fc.assert(
      fc.property(values, fc.integer({ min: -500, max: 500 }), (sample, shift) => {
        expect(qnScale(sample.map((value) => 2 * value + shift))).toBeCloseTo(2 * qnScale(sample), 9);
      }),
    );
  });

  it('refuses a single value', () => {
    expect(() => qnScale([1])).toThrow(RangeError);
  });
});
