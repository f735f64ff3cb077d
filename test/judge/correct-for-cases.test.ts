import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { correctForCases } from '../../src/judge/correct-for-cases.ts';
import { CORRECTIONS } from '../../src/model/judge/comparison.ts';

const P_VALUES = [0.01, 0.04, 0.03, 0.005, 0.5];

function adjusted(correction: 'holm' | 'bh' | 'none'): number[] {
  return correctForCases(P_VALUES, 0.05, correction).map(({ pAdjusted }) => pAdjusted);
}

describe('correctForCases', () => {
  it('adjusts by hand-computed Holm and Benjamini-Hochberg', () => {
    // Sorted .005 .01 .03 .04 .5; Holm ×5 ×4 ×3 ×2 ×1, made monotone; BH ×5 ×5/2 ×5/3 ×5/4 ×1, made monotone.
    expect(adjusted('none')).toEqual(P_VALUES);
    [0.04, 0.09, 0.09, 0.025, 0.5].forEach((p, i) => expect(adjusted('holm')[i]).toBeCloseTo(p, 12));
    [0.025, 0.05, 0.05, 0.025, 0.5].forEach((p, i) => expect(adjusted('bh')[i]).toBeCloseTo(p, 12));
  });

  it('reads each interval at the hand-computed level of its test', () => {
    const levels = (correction: 'holm' | 'bh') =>
      correctForCases(P_VALUES, 0.045, correction).map(({ alpha }) => alpha);
    // Holm: α/5, α/4, α/3 for the smallest three; .03 · 3 does not pass, and what follows is read as it was.
    [0.045 / 4, 0.015, 0.015, 0.009, 0.015].forEach((level, i) =>
      expect(levels('holm')[i]).toBeCloseTo(level, 12),
    );
    // Benjamini-Hochberg: two pass and are read at 2/5 of α, the others at 3/5.
    [0.018, 0.027, 0.027, 0.018, 0.027].forEach((level, i) => expect(levels('bh')[i]).toBeCloseTo(level, 12));
  });

  it('reads a single case at the level of the family', () => {
    for (const correction of CORRECTIONS) {
      expect(correctForCases([0.2], 0.05, correction)).toEqual([{ pAdjusted: 0.2, alpha: 0.05 }]);
    }
    expect(correctForCases([], 0.05, 'holm')).toEqual([]);
  });

  it('lets adjusted p-values and levels of intervals say the same', () => {
    const p = fc.oneof(
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0, max: 0.02, noNaN: true }),
    );
    fc.assert(
      fc.property(fc.array(p, { maxLength: 12 }), fc.constantFrom(...CORRECTIONS), (pValues, correction) => {
        correctForCases(pValues, 0.05, correction).forEach(({ pAdjusted, alpha }, index) => {
          fc.pre(Math.abs(pAdjusted - 0.05) > 1e-12);
          expect(pValues[index]! <= alpha).toBe(pAdjusted <= 0.05);
          expect(pAdjusted).toBeGreaterThanOrEqual(pValues[index]!);
          expect(alpha).toBeLessThanOrEqual(0.05 + 1e-15);
        });
      }),
    );
  });
});
