import { describe, expect, it } from 'vitest';

import { JUDGE_DEFAULTS, limitsOf, policyForCase, policyOf } from '../../src/judge/judge-policy.ts';

describe('limitsOf', () => {
  it('puts the thresholds on the scale of logarithms: 3 % more time, 5 % less', () => {
    const { slowdown, gain } = limitsOf({ ...JUDGE_DEFAULTS, regressionPct: 3, improvementPct: 5 });
    expect(slowdown).toBeCloseTo(Math.log(1.03), 12);
    expect(gain).toBeCloseTo(Math.log(1 / 0.95), 12);
  });

  it('spends no more false alarms than the policy has: a fifth of them on the median', () => {
    const { alpha, medianTail, missTail } = limitsOf({ ...JUDGE_DEFAULTS, falseAlarm: 0.01, miss: 0.04 });
    // Half of `alpha` lies beyond each end.
    expect(alpha / 2).toBeCloseTo(0.008, 12);
    expect(medianTail).toBeCloseTo(0.002, 12);
    expect(missTail).toBe(0.04);
  });

  it.each([
    { regressionPct: 0 },
    { regressionPct: -3 },
    { regressionPct: NaN },
    { regressionPct: Infinity },
    { improvementPct: 0 },
    { improvementPct: 100 },
    { improvementPct: NaN },
    { falseAlarm: 0 },
    { falseAlarm: 0.5 },
    { miss: 0 },
    { miss: 0.5 },
  ])('refuses %o', (wrong) => {
    expect(() => limitsOf({ ...JUDGE_DEFAULTS, ...wrong })).toThrow(
      expect.objectContaining({ kind: 'usage' }),
    );
  });

  it('takes a slowdown of more than the whole time', () => {
    expect(limitsOf({ ...JUDGE_DEFAULTS, regressionPct: 150 }).slowdown).toBeCloseTo(Math.log(2.5), 12);
  });
});

describe('thresholds of single cases', () => {
  const thresholds = { regression_pct: 3, improvement_pct: 5, cases: { 'k/noisy': { regression_pct: 8 } } };

  it('hold for their case only', () => {
    const policy = policyOf(thresholds);
    expect(policyForCase(policy, { kernel: 'k', case: 'noisy' }).regressionPct).toBe(8);
    expect(policyForCase(policy, { kernel: 'other', case: 'noisy' }).regressionPct).toBe(3);
    expect(policyForCase(policy, { kernel: 'k', case: 'toString' }).regressionPct).toBe(3);
  });

  it('give way to a threshold that is asked for', () => {
    const asked = policyOf(thresholds, { regressionPct: 2 });
    expect(policyForCase(asked, { kernel: 'k', case: 'noisy' }).regressionPct).toBe(2);
    const other = policyOf(thresholds, { correction: 'none' });
    expect(policyForCase(other, { kernel: 'k', case: 'noisy' }).regressionPct).toBe(8);
  });
});

describe('policyOf', () => {
  it('takes the thresholds of the project, and the default rates', () => {
    expect(policyOf({ regression_pct: 1, improvement_pct: 2, cases: {} })).toEqual({
      question: 'gate',
      regressionPct: 1,
      improvementPct: 2,
      correction: 'holm',
      falseAlarm: 0.005,
      miss: 0.01,
      allowDeviceMismatch: false,
    });
  });
});
