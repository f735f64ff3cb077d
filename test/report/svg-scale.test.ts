import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { linearScale, niceTicks } from '../../src/report/svg/scale.ts';

describe('niceTicks', () => {
  it('are round numbers within the domain', () => {
    const { ticks, decimals } = niceTicks(52.9, 55.6, 7);
    expect(decimals).toBe(1);
    expect(ticks.map((tick) => tick.toFixed(decimals))).toEqual([
      '53.0',
      '53.5',
      '54.0',
      '54.5',
      '55.0',
      '55.5',
    ]);
  });

  it('stay within any domain and are told apart by their decimals', () => {
    const bound = fc.double({ min: 1e-6, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(bound, fc.double({ min: 1e-3, max: 10, noNaN: true }), (low, share) => {
        const high = low * (1 + share);
        const { ticks, decimals } = niceTicks(low, high, 7);
        const slack = (high - low) * 1e-6;
        expect(ticks.length).toBeGreaterThan(1);
        expect(new Set(ticks.map((tick) => tick.toFixed(decimals))).size).toBe(ticks.length);
        for (const tick of ticks) expect(tick >= low - slack && tick <= high + slack).toBe(true);
      }),
    );
  });
});

describe('linearScale', () => {
  it('maps the ends of the domain to the ends of the range', () => {
    const scale = linearScale([2, 4], [10, 110]);
    expect([scale(2), scale(3), scale(4)]).toEqual([10, 60, 110]);
  });
});
