import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { pairCounts } from '../../src/stats/pair-counts.ts';

describe('pairCounts', () => {
  it('counts as all pairs and all groups of equal values one by one do', () => {
    const sample = fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(sample, sample, (first, second) => {
        const pairs = first.flatMap((a) => second.map((b) => Math.sign(a - b)));
        const both = [...first, ...second];
        const groups = [...new Set(both)].map((value) => both.filter((other) => other === value));
        expect(pairCounts(first, second)).toEqual({
          pairs: pairs.length,
          greater: pairs.filter((sign) => sign > 0).length,
          equal: pairs.filter((sign) => sign === 0).length,
          tieTerm: groups.reduce((sum, { length }) => sum + length ** 3 - length, 0),
        });
      }),
    );
  });

  it('counts ties above all values of the other sample', () => {
    expect(pairCounts([1, 5, 5, 5], [0, 2]).tieTerm).toBe(24);
    expect(pairCounts([0, 2], [1, 5, 5, 6, 6, 6]).tieTerm).toBe(6 + 24);
  });
});
