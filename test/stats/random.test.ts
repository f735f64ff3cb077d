import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { nextBelow, Xoshiro128 } from '../../src/stats/random.ts';

describe('Xoshiro128', () => {
  it('gives the numbers of the reference algorithm for seed 42', () => {
    // xoshiro128starstar.c with SplitMix64 seeding, transcribed to Python's unbounded integers and run there.
    const random = new Xoshiro128(42);
    expect(Array.from({ length: 6 }, () => random.nextUint32())).toEqual([
      1776835114, 4165204688, 17111135, 2317295270, 2792088233, 2554630222,
    ]);
  });

  it('repeats itself for the same seed and differs for another', () => {
    const draw = (seed: number): number[] => {
      const random = new Xoshiro128(seed);
      return Array.from({ length: 8 }, () => random.nextOpen());
    };
    expect(draw(7)).toEqual(draw(7));
    expect(draw(7)).not.toEqual(draw(8));
  });

  it('never leaves the open unit interval', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }), (seed) => {
        const value = new Xoshiro128(seed).nextOpen();
        return value > 0 && value < 1;
      }),
    );
  });
});

describe('nextBelow', () => {
  it('gives every integer below the bound equally often', () => {
    const random = new Xoshiro128(3);
    const counts = [0, 0, 0, 0, 0, 0, 0];
    const draws = 70_000;
    for (let i = 0; i < draws; i++) counts[nextBelow(random, 7)]! += 1;
    const expected = draws / 7;
    const chiSquare = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
    // The 99.9 % point of chi-square with 6 degrees of freedom: scipy.stats.chi2.ppf(0.999, 6).
    expect(chiSquare).toBeLessThan(22.46);
  });

  it('rejects the draws that would favour small numbers', () => {
    // 2^32 mod 3 is 1: of the multiples of 3, only the product 0 is rejected.
    const draws = [0, 1];
    expect(nextBelow({ nextUint32: () => draws.shift()!, nextOpen: () => 0.5 }, 3)).toBe(0);
    expect(draws).toEqual([]);
  });
});
