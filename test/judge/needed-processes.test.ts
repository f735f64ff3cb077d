import { describe, expect, it } from 'vitest';

import { neededProcesses } from '../../src/judge/needed-processes.ts';
import type { Shift } from '../../src/stats/yuen.ts';

/** Ten processes per side whose levels have the standard deviation `sd`. */
function shiftOf(sd: number): Shift {
  const value = sd * Math.sqrt(2 / 10);
  return { difference: 0, first: 0, second: 0, errors: [{ value, degreesOfFreedom: 18 }] };
}

describe('neededProcesses', () => {
  it('agrees with the textbook formula for many processes', () => {
    // 2 · ((z.975 + z.8) · sd / margin)² = 2 · (2.8016 · 4)² = 251.2, a few more for Student's t, over .6 of which
    // are left of the trimmed sample: only t sees that, as the spread is that of the trimmed mean.
    const needed = neededProcesses(shiftOf(0.04), [10, 10], 0.01, 0.025)!;
    expect(needed).toBeGreaterThanOrEqual(252);
    expect(needed).toBeLessThan(258);
  });

  it('asks for more where processes differ more, and for more than there are', () => {
    const counts = [0.02, 0.03, 0.04].map((sd) => neededProcesses(shiftOf(sd), [10, 10], 0.015, 0.004)!);
    expect(counts).toEqual([...counts].sort((a, b) => a - b));
    expect(new Set(counts).size).toBe(3);
    expect(neededProcesses(shiftOf(0.0001), [10, 10], 0.015, 0.004)).toBe(11);
  });

  it('has no advice where hundreds would not do', () => {
    expect(neededProcesses(shiftOf(0.5), [10, 10], 0.015, 0.004)).toBeUndefined();
  });
});
