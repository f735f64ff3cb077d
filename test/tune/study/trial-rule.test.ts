import { describe, expect, it } from 'vitest';

import { Xoshiro128 } from '../../../src/stats/index.ts';
import { HOPELESS, isHopeless, trialRule } from '../../../src/tune/study/trial-rule.ts';

/** Times that are mostly a little longer than `base`, and now and then much longer. */
function noisy(base: number, count: number, random: Xoshiro128): number[] {
  return Array.from({ length: count }, () => {
    const disturbed = random.nextOpen() < 0.3 ? 3 * random.nextOpen() : 0;
    return base * (1 + 0.1 * random.nextOpen() + disturbed);
  });
}

describe('early stopping', () => {
  it('never gives up a variant that is as fast as the best, however noisy it is', () => {
    const random = new Xoshiro128(1);
    for (let study = 0; study < 2000; study++) {
      expect(isHopeless(noisy(1, 10, random), 1)).toBe(false);
      expect(isHopeless(noisy(1.05, 10, random), 1)).toBe(false);
    }
  });

  it('gives up one that is half as slow again after ten samples', () => {
    const random = new Xoshiro128(2);
    expect(isHopeless(noisy(1.5, 10, random), 1)).toBe(true);
    expect(isHopeless(noisy(1.5, 9, random), 1)).toBe(false);
  });

  it('gives up nothing before there is a best', () => {
    expect(
      isHopeless(
        Array.from({ length: 50 }, () => 1e6),
        undefined,
      ),
    ).toBe(false);
  });

  it('says why it stops: hopeless, precise, or not at all yet', () => {
    const steady = Array.from({ length: 20 }, (_, index) => 1 + index * 1e-6);
    expect(trialRule(40, 0.1).decide(steady)).toBe(HOPELESS);
    expect(trialRule(40, 1).decide(steady)).toBe('precision');
    expect(
      trialRule(40, 1).decide(steady.map((time, index) => time * (1 + 0.1 * (index % 7)))),
    ).toBeUndefined();
    expect(trialRule(40, 1)).toMatchObject({ least: 10, most: 40 });
    expect(trialRule(4, 1)).toMatchObject({ least: 4, most: 4 });
  });
});
