import { describe, expect, it } from 'vitest';

import { SecondLooks } from '../../src/measure/second-looks.ts';

describe('second looks at a series', () => {
  it('rest longer from time to time on a busy machine, and end', () => {
    const looks = new SecondLooks();
    const pauses = Array.from({ length: 4 }, () => looks.pauseAfter('busy'));
    expect(pauses).toEqual([500, 1000, 1500, undefined]);
  });

  it('accuse a clock only where it was wrong in two processes', () => {
    const looks = new SecondLooks();
    expect(looks.pauseAfter('clock-mismatch')).toBeGreaterThan(0);
    expect(looks.pauseAfter('busy')).toBeGreaterThan(0);
    expect(looks.pauseAfter('clock-mismatch')).toBeUndefined();
  });

  it('are given to nothing that is the kernel’s own', () => {
    for (const reason of ['crashed', 'hung', 'timed-result-wrong', 'timer-tampered'] as const)
      expect(new SecondLooks().pauseAfter(reason)).toBeUndefined();
  });
});
