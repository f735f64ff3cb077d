import { describe, expect, it } from 'vitest';

import { compareSamples } from '../../src/judge/compare-measurements.ts';
import { comparisonSchema } from '../../src/model/judge/comparison.ts';
import type { Measurement } from '../../src/model/measure/samples.ts';
import { measurementOf, samplesOf } from './samples-of.ts';

const SAMPLED = measurementOf({ processes: 10, level_ms: 1, seed: 1 });
const summed = (...means: number[]): Measurement => ({
  case: SAMPLED.case,
  series: [],
  summaries: means.map((mean_ms, at) => ({ process: at + 1, mean_ms, stddev_ms: 0.02, samples: 1000 })),
});

function judged(baseline: Measurement, candidate: Measurement) {
  return comparisonSchema.parse(compareSamples(samplesOf(baseline), samplesOf(candidate))).cases[0]!;
}

describe('a measurement that is only summed up', () => {
  it.each([
    ['regressed', summed(1), summed(10)],
    ['improved', summed(10), summed(1)],
    ['regressed', SAMPLED, summed(9)],
    ['improved', summed(9), SAMPLED],
    ['undecided', summed(1), summed(1.2)],
    ['undecided', summed(1), summed(1)],
  ] as const)('is %s by what it states', (verdict, baseline, candidate) => {
    const one = judged(baseline, candidate);
    expect(one).toMatchObject({
      verdict,
      state: 'estimated',
      evidence: 'summaries',
      level: 'mean',
      noise: 'assumed',
      reason: expect.stringContaining('judged by stated means, without samples'),
    });
  });

  it('is ten times slower among 88 cases, and only that one is', () => {
    const many = (of: (at: number) => number) =>
      samplesOf(...Array.from({ length: 88 }, (_, at) => ({ ...summed(of(at)), case: `case ${at}` })));
    const { cases } = compareSamples(
      many(() => 1),
      many((at) => (at === 7 ? 10 : 1.01)),
    );
    expect(cases.filter(({ verdict }) => verdict === 'regressed').map(({ case: name }) => name)).toEqual([
      'case 7',
    ]);
    expect(cases.filter(({ verdict }) => verdict === 'undecided')).toHaveLength(87);
  });

  it('is judged by the spread of its processes from three on', () => {
    expect(judged(summed(1, 1.01, 0.99, 1, 1.005), summed(1.2, 1.21, 1.19, 1.2, 1.205))).toMatchObject({
      verdict: 'regressed',
      noise: 'measured',
    });
    expect(judged(summed(1, 1.01, 0.99, 1, 1.005), summed(1, 1.005, 0.995, 1, 1.005)).verdict).toBe(
      'maintained',
    );
  });

  it('is not called slower by a mean that few wild samples make', () => {
    const wild = (mean_ms: number, stddev_ms: number): Measurement => ({
      ...summed(1),
      summaries: [{ process: 1, mean_ms, stddev_ms, samples: 10 }],
    });
    expect(judged(wild(1, 0.01), wild(10, 28)).verdict).toBe('undecided');
  });

  it('is wider where no deviation is stated', () => {
    const bare = (unstated_ms: number): Measurement => ({
      ...summed(1),
      summaries: [{ process: 1, unstated_ms }],
    });
    expect(judged(bare(1), bare(2))).toMatchObject({ verdict: 'undecided', level: 'stated' });
    expect(judged(bare(1), bare(1000)).verdict).toBe('regressed');
  });

  it('is undecided where one side states a mean and the other a median', () => {
    const middle: Measurement = { ...summed(1), summaries: [{ process: 1, median_ms: 50 }] };
    expect(judged(summed(1), middle)).toMatchObject({
      verdict: 'undecided',
      state: 'not-estimated',
      reason: expect.stringContaining('different statistics'),
    });
  });

  it('shows its figure, and counts its processes', () => {
    expect(judged(summed(1), summed(1.5))).toMatchObject({ processes: [1, 1] });
    const { baseline_ms, candidate_ms } = judged(summed(1), summed(1.5)) as {
      baseline_ms: number;
      candidate_ms: number;
    };
    expect(baseline_ms).toBeCloseTo(1, 9);
    expect(candidate_ms).toBeCloseTo(1.5, 9);
  });

  it('does not hide that a result was wrong', () => {
    const wrong = { ...summed(0.1), check: { passed: false, oracle: 'x', tensors: [], tampering: [] } };
    expect(compareSamples(samplesOf(SAMPLED), samplesOf(wrong)).verdict).toBe('incorrect');
  });

  it('does not matter where there are samples as well', () => {
    const both = { ...measurementOf({ processes: 10, level_ms: 1, seed: 2 }), summaries: [{ mean_ms: 7 }] };
    expect(compareSamples(samplesOf(SAMPLED), samplesOf(both)).verdict).toBe('maintained');
  });

  it('is one measurement with the other records of its key', () => {
    const twice = samplesOf(summed(1), summed(3));
    expect(compareSamples(twice, samplesOf(SAMPLED)).cases[0]).toMatchObject({ processes: [2, 10] });
  });
});
