import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { radixSort } from '../../src/stats/radix-sort.ts';

describe('radixSort', () => {
  it('sorts any doubles as the built-in sort does', () => {
    const values = fc.float64Array({ minLength: 0, maxLength: 1500, size: 'max' });
    fc.assert(
      fc.property(values, (array) => {
        expect(radixSort(array.slice())).toEqual(array.slice().sort());
      }),
      { numRuns: 60 },
    );
  });

  it('sorts values that share their upper halves, have many ties, or differ by one bit', () => {
    const close = Float64Array.from({ length: 2000 }, (_, i) => 1 + ((i * 7919) % 2000) * Number.EPSILON);
    const tied = Float64Array.from({ length: 2000 }, (_, i) => (i * 31) % 5);
    const mixed = Float64Array.from({ length: 2000 }, (_, i) => (i % 2 === 0 ? -1 : 1) * ((i * 7919) % 1000));
    for (const array of [close, tied, mixed]) expect(radixSort(array.slice())).toEqual(array.slice().sort());
  });

  it('sorts a view without touching what lies beside it', () => {
    const whole = Float64Array.from({ length: 1000 }, (_, i) => 1000 - i);
    radixSort(whole.subarray(100, 900));
    expect(whole[99]).toBe(901);
    expect(whole[100]).toBe(101);
    expect(whole[899]).toBe(900);
    expect(whole[900]).toBe(100);
  });
});
