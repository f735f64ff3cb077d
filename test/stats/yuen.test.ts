import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { shiftHalfWidth, shiftPValue, shiftStandardError, yuenShift } from '../../src/stats/yuen.ts';

const FIRST = [
  0.053312, 0.053216, 0.054048, 0.052928, 0.082176, 0.053024, 0.0536, 0.05328, 0.06832, 0.053696,
];
const SECOND = [0.0551, 0.0549, 0.0562, 0.0547, 0.0553, 0.0712, 0.055];
const sample = fc.array(fc.double({ min: -100, max: 100, noNaN: true }), { minLength: 3, maxLength: 20 });

describe('yuenShift', () => {
  // scipy.stats.ttest_ind(SECOND, FIRST, trim=share, equal_var=…), SciPy 1.17.1: first Yuen's, then the pooled one.
  it.each([
    [0, [-0.07122394919773496, 14.871877720811916], [-0.0655219089724957, 15]],
    [0.2, [4.698334556987645, 6.9664608084231645], [4.867299724949793, 9]],
  ])('trimmed by %f agrees with SciPy', (share, ...expected) => {
    const shift = yuenShift(FIRST, SECOND, share);
    shift.errors.forEach(({ value, degreesOfFreedom }, index) => {
      expect(shift.difference / value).toBeCloseTo(expected[index]![0]!, 9);
      expect(degreesOfFreedom).toBeCloseTo(expected[index]![1]!, 9);
    });
  });

  it('gives the larger of the two p-values of SciPy', () => {
    expect(shiftPValue(yuenShift(FIRST, SECOND, 0.2))).toBeCloseTo(0.002241456156136556, 11);
    expect(shiftPValue(yuenShift(FIRST, SECOND, 0))).toBeCloseTo(0.9486237546333566, 11);
  });

  it('gives the wider of the two intervals of SciPy', () => {
    // confidence_interval(0.99) of the pooled test, which is the wider here.
    const shift = yuenShift(FIRST, SECOND, 0);
    expect(shift.difference - shiftHalfWidth(shift, 0.005)).toBeCloseTo(-0.012609720696471536, 11);
    expect(shift.difference + shiftHalfWidth(shift, 0.005)).toBeCloseTo(0.01206114926790011, 11);
  });

  it('has an interval that excludes nothing exactly when the p-value says so', () => {
    fc.assert(
      fc.property(sample, sample, fc.double({ min: 1e-4, max: 0.4, noNaN: true }), (first, second, alpha) => {
        const shift = yuenShift(first, second, 0.2);
        const p = shiftPValue(shift);
        fc.pre(Math.abs(p - alpha) > 1e-9);
        expect(Math.abs(shift.difference) > shiftHalfWidth(shift, alpha / 2)).toBe(p < alpha);
      }),
    );
  });

  it('changes sign when the sides are swapped', () => {
    fc.assert(
      fc.property(sample, sample, (first, second) => {
        const one = yuenShift(first, second, 0.2);
        const other = yuenShift(second, first, 0.2);
        expect(other.difference).toBeCloseTo(-one.difference, 9);
        expect(shiftStandardError(other)).toBeCloseTo(shiftStandardError(one), 9);
      }),
    );
  });

  it('has the largest of its errors as the standard error', () => {
    const errors = [0.1, 0.3, 0.2].map((value) => ({ value, degreesOfFreedom: 5 }));
    expect(shiftStandardError({ difference: 1, first: 0, second: 1, errors })).toBe(0.3);
    expect(shiftStandardError({ difference: 1, first: 0, second: 1, errors: [] })).toBe(0);
  });

  it('has one error for sides of one size, and both for others', () => {
    expect(yuenShift([1, 2, 3], [2, 3, 5], 0).errors).toHaveLength(1);
    expect(yuenShift([1, 2, 3], [2, 3, 5, 6], 0).errors).toHaveLength(2);
    expect(yuenShift([1, 2], [2, 4], 0).errors[0]!.value).toBeCloseTo(Math.sqrt(0.25 + 1), 12);
  });

  it('is certain where nothing varies', () => {
    const same = yuenShift([1, 1, 1], [1, 1, 1], 0);
    expect([shiftPValue(same), shiftHalfWidth(same, 0.005)]).toEqual([1, 0]);
    const other = yuenShift([1, 1, 1], [2, 2, 2], 0);
    expect([shiftPValue(other), shiftHalfWidth(other, 0.005)]).toEqual([0, 0]);
  });

  it('refuses sides that trimming leaves a single value of', () => {
    expect(() => yuenShift([1], [1, 2], 0)).toThrow(RangeError);
    expect(() => yuenShift([1, 2, 3], [1, 2, 3], 0.4)).toThrow(RangeError);
  });
});
