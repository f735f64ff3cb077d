import { describe, expect, it } from 'vitest';

import type { Outcome } from '../../src/judge/decide.ts';
import { decide, outcomeOf } from '../../src/judge/decide.ts';
import { estimateCase } from '../../src/judge/estimate-case.ts';
import { JUDGE_DEFAULTS, limitsOf } from '../../src/judge/judge-policy.ts';
import type { ProcessSummary } from '../../src/judge/process-summary.ts';
import { normalQuantile } from '../../src/stats/normal.ts';
import { Xoshiro128 } from '../../src/stats/random.ts';

const LIMITS = limitsOf(JUDGE_DEFAULTS);

describe('outcomeOf', () => {
  function outcome(estimate: number, width: number): Outcome {
    const interval = { estimate, low: estimate - width, high: estimate + width, slowest: estimate + width };
    return outcomeOf(interval, LIMITS);
  }

  it.each([
    [0.03, 0.01, 'regressed'],
    [0.016, 0.01, 'regressed'],
    [0.014, 0.01, 'maintained'],
    [0, 0.02, 'maintained'],
    [0, 0.031, 'undecided'],
    [0.03, 0.035, 'undecided'],
    [-0.03, 0.02, 'improved'],
    [-0.02, 0.01, 'maintained'],
    [-0.04, 0.05, 'maintained'],
  ] as const)('of %f ± %f is %s', (estimate, width, expected) => {
    expect(outcome(estimate, width)).toBe(expected);
  });

  it('always decides when the interval reaches less than half a threshold', () => {
    for (let estimate = -0.1; estimate < 0.1; estimate += 0.0007) {
      expect(outcome(estimate, LIMITS.slowdown / 2 - 1e-6)).not.toBe('undecided');
    }
  });
});

describe('decide', () => {
  /** Shares of what is said of processes with normal levels, `shift` slower on the side of the candidate. */
  function shares(shift: number, sd: number, processes: number): Record<Outcome, number> {
    const random = new Xoshiro128(7);
    const draws = 4000;
    const counts = { improved: 0, maintained: 0, regressed: 0, undecided: 0 };
    const side = (level: number): ProcessSummary[] =>
      Array.from({ length: processes }, () => {
        const own = level + sd * normalQuantile(random.nextOpen());
        return { time: { fastest: own, median: own, tail: undefined }, cycles: undefined };
      });
    for (let i = 0; i < draws; i++) {
      counts[decide(estimateCase(side(0), side(shift)), LIMITS, LIMITS.alpha, 1).outcome] += 1 / draws;
    }
    return counts;
  }

  // Four standard errors of a share of 4,000 draws above the bound: 0.005 + 4 · 0.0011, 0.025 + 4 · 0.0025.
  it.each([5, 10, 20])('keeps both error rates with %i noisy processes a side', (processes) => {
    const unchanged = shares(0, 0.04, processes);
    expect(unchanged.regressed).toBeLessThan(0.0095);
    expect(unchanged.improved).toBeLessThan(0.0095);
    expect(shares(LIMITS.slowdown, 0.04, processes).maintained).toBeLessThan(0.035);
  });

  it('finds what is there when processes are quiet', () => {
    expect(shares(0, 0.004, 10).maintained).toBeGreaterThan(0.999);
    expect(shares(LIMITS.slowdown, 0.004, 10).regressed).toBeGreaterThan(0.999);
    expect(shares(-LIMITS.gain, 0.004, 10).improved).toBeGreaterThan(0.999);
  });
});
