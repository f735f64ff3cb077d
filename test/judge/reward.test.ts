import { describe, expect, it } from 'vitest';

import { describeJudgement, type Fuzzed } from '../../src/judge/describe-judgement.ts';
import { judgementPlan } from '../../src/judge/judgement-plan.ts';
import { gainOf, meanGain } from '../../src/judge/reward.ts';
import { compareSamples } from '../../src/judge/compare-measurements.ts';
import { JUDGE_DEFAULTS } from '../../src/judge/judge-policy.ts';
import { SAMPLES_SCHEMA, type Samples } from '../../src/model/measure/samples.ts';

/** Six processes; of each, `fast` of twenty samples take `ms` and the others `slow_ms`. */
function samples(ms: number, fast = 20, slow_ms = ms): Samples {
  const series = Array.from({ length: 6 }, (_, at) => ({
    process: at + 1,
    samples_ms: Array.from({ length: 20 }, (__, index) => (index < fast ? ms : slow_ms) * (1 + 0.002 * at)),
  }));
  return { schema: SAMPLES_SCHEMA, measurements: [{ kernel: 'k', case: 'c', series }] };
}

const gain = (base: Samples, head: Samples) => gainOf(compareSamples(base, head, JUDGE_DEFAULTS).cases[0]!)!;

describe('the reward of a case', () => {
  it('is the lower end of the speed-up, which is as far below the estimate as the upper end is above', () => {
    const { speedup, reward } = gain(samples(2), samples(1));
    expect(speedup.estimate).toBeCloseTo(2, 3);
    expect(speedup.low).toBeLessThan(speedup.estimate);
    expect(speedup.estimate / speedup.low).toBeCloseTo(speedup.high / speedup.estimate, 9);
    expect(reward).toBe(speedup.low);
  });

  it('is no more than what the medians say', () => {
    const { speedup, reward } = gain(samples(2), samples(1, 4, 2));
    expect(speedup.low).toBeGreaterThan(1.5);
    expect(reward).toBeCloseTo(1, 3);
  });

  it('is averaged over cases as a ratio', () => {
    const of = (estimate: number) => ({
      speedup: { estimate, low: estimate, high: estimate },
      reward: estimate,
    });
    expect(meanGain([of(4), of(1)])?.reward).toBeCloseTo(2, 9);
    expect(meanGain([])).toBeUndefined();
  });
});

describe('the looks of a judgement', () => {
  it('share the error rates, and end with the most processes there may be', () => {
    const { looks, shares, samenessLooks } = judgementPlan(24);
    expect({ looks, shares, samenessLooks }).toEqual({
      looks: [2, 3, 6, 12, 24],
      shares: [0.2, 0.2, 0.2, 0.2, 0.2],
      samenessLooks: [3],
    });
    expect(judgementPlan(6).looks).toEqual([2, 3, 6]);
    expect(judgementPlan(3)).toMatchObject({ looks: [2, 3], samenessLooks: [] });
    expect(judgementPlan(1).looks).toEqual([1]);
  });
});

describe('the reward of a candidate', () => {
  const describedWith = (fuzzed?: Fuzzed) => {
    const head = samples(1);
    const comparison = compareSamples(samples(2), head, JUDGE_DEFAULTS);
    return describeJudgement({ comparison, samples: head, protections: [], ...(fuzzed && { fuzzed }) });
  };

  it('is that of its cases, and says in how many generated ones it was right', () => {
    const judged = describedWith({ right: 8, needed: 8 });
    expect(judged).toMatchObject({ verdict: 'improved', correct: true, generated_cases: 8 });
    expect(judged.reward).toBeGreaterThan(1.9);
    expect(describedWith()).not.toHaveProperty('generated_cases');
  });

  it('is 0 where too few generated cases could be tried', () => {
    const judged = describedWith({ right: 3, needed: 8 });
    expect(judged).toMatchObject({ verdict: 'undecided', reward: 0, generated_cases: 3, findings: [] });
    expect(judged.reason).toContain('It was right in 3 generated cases, and 8 are needed');
  });

  it('is 0 where one of them is wrong', () => {
    const finding = { detector: 'wrong-result', evidence: 'all of it', case: 'generated-3' };
    const judged = describedWith({ right: 3, needed: 8, finding });
    expect(judged).toMatchObject({ verdict: 'incorrect', correct: false, reward: 0, findings: [finding] });
  });
});
