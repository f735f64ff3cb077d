import { describe, expect, it } from 'vitest';

import { compareSamples } from '../../src/judge/compare-measurements.ts';
import { comparisonSchema } from '../../src/model/comparison.ts';
import type { Measurement } from '../../src/model/samples.ts';
import { measurementOf, samplesOf } from './samples-of.ts';

const SAMPLED = measurementOf({ processes: 10, level_ms: 1, seed: 1 });
const summed = (mean_ms: number): Measurement => ({
  case: SAMPLED.case,
  series: [],
  summaries: [{ process: 1, mean_ms, stddev_ms: 0.001, samples: 1000 }],
});

describe('a measurement that is only summed up', () => {
  it.each([
    ['the candidate has only a summary', SAMPLED, summed(9)],
    ['the baseline has only a summary', summed(9), SAMPLED],
    ['both sides have only summaries', summed(1), summed(9)],
  ])('is undecided however far apart the sides are: %s', (reason, baseline, candidate) => {
    const comparison = comparisonSchema.parse(compareSamples(samplesOf(baseline), samplesOf(candidate)));
    expect(comparison.verdict).toBe('undecided');
    expect(comparison.cases[0]).toMatchObject({
      state: 'not-estimated',
      reason: expect.stringContaining(reason),
    });
  });

  it('shows its figure, and counts its processes', () => {
    const [one] = compareSamples(samplesOf(summed(1)), samplesOf(summed(1.5))).cases;
    expect(one).toMatchObject({ baseline_ms: 1, candidate_ms: 1.5, processes: [1, 1] });
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
    expect(compareSamples(twice, samplesOf(SAMPLED)).cases[0]).toMatchObject({
      processes: [2, 10],
      baseline_ms: 2,
    });
  });
});
