import { describe, expect, it } from 'vitest';

import type { Outcome } from '../../src/judge/decide.ts';
import { decide, intervalOf } from '../../src/judge/decide.ts';
import { readInterval } from '../../src/model/judge/read-interval.ts';
import { estimateCase, type CaseShifts } from '../../src/judge/estimate-case.ts';
import { JUDGE_DEFAULTS, limitsOf } from '../../src/judge/judge-policy.ts';
import type { ProcessSummary } from '../../src/judge/process-summary.ts';
import { normalQuantile } from '../../src/stats/normal.ts';
import { Xoshiro128 } from '../../src/stats/random.ts';
import type { Shift } from '../../src/stats/yuen.ts';

const LIMITS = limitsOf(JUDGE_DEFAULTS);

describe('readInterval', () => {
  function outcome(estimate: number, width: number, limits = LIMITS): Outcome {
    const interval = { estimate, low: estimate - width, high: estimate + width, slowest: estimate + width };
    return readInterval(interval, limits);
  }

  it.each([
    [0.03, 0.01, 'regressed'],
    [0.016, 0.01, 'maintained'],
    [0.019, 0.005, 'maintained'],
    [0.016, 0.014, 'regressed'],
    [0.028, 0.002, 'regressed'],
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

  it.each([
    [0.016, 0.01, 'regressed'],
    [0.014, 0.01, 'maintained'],
    [-0.03, 0.02, 'improved'],
  ] as const)('of %f ± %f is %s where two are told apart', (estimate, width, expected) => {
    expect(outcome(estimate, width, limitsOf({ ...JUDGE_DEFAULTS, question: 'tell-apart' }))).toBe(expected);
  });

  it('always decides when the interval reaches less than half a threshold', () => {
    for (const question of ['gate', 'tell-apart'] as const) {
      const limits = limitsOf({ ...JUDGE_DEFAULTS, question });
      for (let estimate = -0.1; estimate < 0.1; estimate += 0.0007) {
        expect(outcome(estimate, LIMITS.slowdown / 2 - 1e-6, limits)).not.toBe('undecided');
      }
    }
  });

  it('never passes what reaches the threshold, nor fails what does not, whatever the estimate', () => {
    for (let estimate = -0.1; estimate < 0.1; estimate += 0.0007) {
      for (const width of [0.0001, 0.003, 0.01, 0.02, 0.05]) {
        const found = outcome(estimate, width);
        if (found === 'maintained') expect(estimate + width).toBeLessThan(LIMITS.slowdown);
        if (found === 'regressed') expect(estimate + width).toBeGreaterThanOrEqual(LIMITS.slowdown);
        if (found === 'regressed') expect(estimate - width).toBeGreaterThan(0);
      }
    }
  });
});

/** A shift with Student's t of ten degrees of freedom around it. */
function shiftBy(difference: number, error: number): Shift {
  return {
    difference,
    first: 0,
    second: difference,
    errors: [{ value: error, degreesOfFreedom: 10 }],
  };
}

describe('intervalOf', () => {
  it('leaves half of alpha beyond each end, and reads the slowest at the chance of a miss', () => {
    // Student's t with 10 degrees of freedom: 2.5 % lie beyond 2.2281, 5 % beyond 1.8125.
    const { estimate, low, high, slowest } = intervalOf(shiftBy(0.02, 0.01), 0.05, 0.05);
    expect(estimate).toBe(0.02);
    expect(low).toBeCloseTo(0.02 - 0.022281, 6);
    expect(high).toBeCloseTo(0.02 + 0.022281, 6);
    expect(slowest).toBeCloseTo(0.02 + 0.018125, 6);
  });
});

describe('decide, by what else is known of the case,', () => {
  const certain = (difference: number): Shift => shiftBy(difference, 1e-6);
  const OPEN = shiftBy(0, 1);
  const [SLOWER, SAME, FASTER] = [certain(0.05), certain(0), certain(-0.1)];
  const DECIDED = { noise: 'measured', processes: [6, 6], tail: undefined } as const;

  function decision(shift: Shift, rest: Partial<CaseShifts>, cases = 1): string {
    const shifts = {
      ...DECIDED,
      level: 'median',
      shift,
      median: shift,
      cycles: undefined,
      inTurns: false,
    } as const;
    const { outcome, basis } = decide({ ...shifts, ...rest }, LIMITS, LIMITS.alpha, cases);
    return `${outcome} by ${basis}`;
  }
  const both = (shift: Shift): CaseShifts['cycles'] => ({ shift, median: shift });

  it.each([
    ['slower', 'slower', SLOWER, SLOWER, 'regressed by level', 'regressed by level'],
    ['slower', 'the same', SLOWER, SAME, 'maintained by clock', 'regressed by own-clock'],
    ['slower', 'unclear', SLOWER, OPEN, 'undecided by cycles-unclear', 'regressed by level'],
    ['faster', 'faster', FASTER, FASTER, 'improved by level', 'improved by level'],
    ['faster', 'the same', FASTER, SAME, 'maintained by clock', 'improved by own-clock'],
    ['faster', 'unclear', FASTER, OPEN, 'undecided by cycles-unclear', 'improved by level'],
    ['the same', 'slower', SAME, SLOWER, 'maintained by level', 'maintained by own-clock'],
    ['the same', 'unclear', SAME, OPEN, 'maintained by level', 'maintained by level'],
    ['unclear', 'slower', OPEN, SLOWER, 'undecided by level', 'undecided by level'],
  ] as const)('reads time that is %s and cycles that are %s together', (...row) => {
    const [, , time, cycles, apart, inTurns] = row;
    expect(decision(time, { cycles: both(cycles) })).toBe(apart);
    expect(decision(time, { cycles: both(cycles), inTurns: true })).toBe(inTurns);
  });

  it('fails a slower median behind an unchanged level, unless the median of the cycles says it was the clock', () => {
    const slowMedian = { level: 'fastest-tenth', median: SLOWER } as const;
    expect(decision(SAME, slowMedian)).toBe('regressed by slower-median');
    expect(decision(SAME, { ...slowMedian, cycles: { shift: SAME, median: SLOWER } })).toBe(
      'regressed by slower-median',
    );
    expect(decision(SAME, { ...slowMedian, cycles: { shift: SLOWER, median: SAME } })).toBe(
      'maintained by clock',
    );
    expect(decision(SAME, { ...slowMedian, cycles: both(SAME), inTurns: true })).toBe(
      'regressed by slower-median',
    );
    expect(decision(SLOWER, slowMedian)).toBe('regressed by level');
  });

  it('does not fail a median that is slower by less than the threshold, or is the level itself', () => {
    const median = certain(LIMITS.slowdown - 0.001);
    expect(decision(SAME, { level: 'fastest-tenth', median })).toBe('maintained by level');
    expect(decision(SAME, { level: 'median', median: SLOWER })).toBe('maintained by level');
  });

  it('asks more of a slower median the more cases are judged at once', () => {
    // Of Student's t with 10 degrees of freedom 0.1 % lie beyond 4.14, and a hundredth of that beyond 7.5.
    const median = shiftBy(0.05, 0.01);
    expect(decision(SAME, { level: 'fastest-tenth', median }, 1)).toBe('regressed by slower-median');
    expect(decision(SAME, { level: 'fastest-tenth', median }, 100)).toBe('maintained by level');
  });

  it('takes back a gain only where the median certainly did not gain half of the threshold', () => {
    const gained = (median: Shift) => decision(FASTER, { level: 'fastest-tenth', median });
    expect(gained(SAME)).toBe('maintained by same-median');
    expect(gained(certain(-LIMITS.gain / 2 + 0.001))).toBe('maintained by same-median');
    expect(gained(certain(-LIMITS.gain / 2 - 0.001))).toBe('improved by level');
    expect(gained(shiftBy(0, 0.1))).toBe('improved by level');
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

  // Four standard errors of a share of 4,000 draws above the bound: 0.005 + 4 · 0.0011, 0.01 + 4 · 0.0016.
  it.each([5, 10, 20])('keeps both error rates with %i noisy processes per side', (processes) => {
    const unchanged = shares(0, 0.04, processes);
    expect(unchanged.regressed).toBeLessThan(0.0095);
    expect(unchanged.improved).toBeLessThan(0.0095);
    expect(shares(LIMITS.slowdown, 0.04, processes).maintained).toBeLessThan(0.0164);
  });

  it('finds what is there when processes are quiet', () => {
    expect(shares(0, 0.004, 10).maintained).toBeGreaterThan(0.999);
    expect(shares(LIMITS.slowdown, 0.004, 10).regressed).toBeGreaterThan(0.9836);
    expect(shares(1.4 * LIMITS.slowdown, 0.004, 10).regressed).toBeGreaterThan(0.999);
    expect(shares(0.6 * LIMITS.slowdown, 0.004, 10).maintained).toBeGreaterThan(0.98);
    expect(shares(-LIMITS.gain, 0.004, 10).improved).toBeGreaterThan(0.999);
  });
});
