import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { benjaminiHochberg, holm } from '../../src/stats/adjust-p.ts';
import { R } from '../fixtures/stats/golden.ts';

const ps = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 20 });

describe('adjusted p values', () => {
  it("are those of R's p.adjust", () => {
    holm(R.adjust.p).forEach((p, index) => expect(p).toBeCloseTo(R.adjust.holm[index]!, 14));
    benjaminiHochberg(R.adjust.p).forEach((p, index) => expect(p).toBeCloseTo(R.adjust.bh[index]!, 14));
  });

  it('keep the order of the raw ones, which they are never below, and Holm is never below Benjamini-Hochberg', () => {
    fc.assert(
      fc.property(ps, (raw) => {
        const byHolm = holm(raw);
        const byHochberg = benjaminiHochberg(raw);
        for (const [i, p] of raw.entries()) {
          expect(byHochberg[i]!).toBeGreaterThanOrEqual(p);
          expect(byHolm[i]!).toBeGreaterThanOrEqual(byHochberg[i]! - 1e-15);
          expect(byHolm[i]!).toBeLessThanOrEqual(1);
          for (const [j, other] of raw.entries()) {
            if (p <= other) {
              expect(byHolm[i]!).toBeLessThanOrEqual(byHolm[j]!);
              expect(byHochberg[i]!).toBeLessThanOrEqual(byHochberg[j]!);
            }
          }
        }
      }),
    );
  });

  it('are the raw ones for a single test, and none for none', () => {
    expect(holm([0.03])).toEqual([0.03]);
    expect(benjaminiHochberg([0.03])).toEqual([0.03]);
    expect(holm([])).toEqual([]);
    expect(() => holm([1.2])).toThrow(RangeError);
  });
});
