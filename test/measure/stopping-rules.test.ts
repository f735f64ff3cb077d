import { describe, expect, it } from 'vitest';

import { STOPPING_RULES, type StoppingRule } from '../../src/measure/stopping-rules.ts';
import { Xoshiro128 } from '../../src/stats/index.ts';

/** Samples around 1 ms with this relative spread (sum of uniforms: close enough to a normal for a rule). */
function noisy(count: number, spread: number): number[] {
  const random = new Xoshiro128(1);
  const uniform = () => random.nextOpen() - 0.5;
  return Array.from({ length: count }, () => 1 + spread * (uniform() + uniform() + uniform()) * 2);
}

/** How many samples a rule takes from an endless supply, asked every 25 as a series does. */
function taken(rule: StoppingRule, supply: readonly number[]): number {
  for (let count = 25; ; count += 25) {
    if (count >= rule.most) return rule.most;
    if (count >= rule.least && rule.decide(supply.slice(0, count)) !== undefined) return count;
  }
}

describe('stopping rules', () => {
  it('fixed takes exactly what was asked for, noise or not', () => {
    expect(taken(STOPPING_RULES.fixed(100), noisy(400, 0.5))).toBe(100);
    expect(taken(STOPPING_RULES.fixed(100), noisy(400, 0.0001))).toBe(100);
  });

  it('precision ends early when the median is already known and goes on when it is not', () => {
    expect(taken(STOPPING_RULES.precision(100), noisy(400, 0.0005))).toBe(25);
    expect(taken(STOPPING_RULES.precision(100), noisy(400, 0.02))).toBeGreaterThan(100);
    expect(taken(STOPPING_RULES.precision(100), noisy(400, 0.5))).toBe(400);
  });

  it('precision does not take a slow drift for certainty', () => {
    const drift = Array.from({ length: 400 }, (_, index) => 1 + 0.001 * index);
    expect(taken(STOPPING_RULES.precision(100), drift)).toBeGreaterThan(100);
  });

  it('stdrel ends when the relative standard deviation is under 0.5 %', () => {
    expect(taken(STOPPING_RULES.stdrel(100), noisy(400, 0.001))).toBe(25);
    expect(taken(STOPPING_RULES.stdrel(100), noisy(400, 0.05))).toBe(400);
  });

  it('entropy ends once new samples no longer add new values', () => {
    const periodic = Array.from({ length: 400 }, (_, index) => 1 + 0.01 * (index % 4));
    expect(taken(STOPPING_RULES.entropy(100), periodic)).toBe(75);
    const everNew = Array.from({ length: 400 }, (_, index) => 1 + 0.01 * index);
    expect(taken(STOPPING_RULES.entropy(100), everNew)).toBe(400);
  });
});
