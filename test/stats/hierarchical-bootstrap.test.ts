import { describe, expect, it } from 'vitest';

import { bootstrapMedian } from '../../src/stats/bootstrap-median.ts';
import { hierarchicalBootstrapMedian } from '../../src/stats/hierarchical-bootstrap.ts';
import { median } from '../../src/stats/quantile.ts';
import { Xoshiro128 } from '../../src/stats/random.ts';
import { attentionSeries } from '../fixtures/h200-attention.ts';

describe('hierarchicalBootstrapMedian', () => {
  it('is wider than the pooled interval where processes differ', () => {
    const series = attentionSeries('B8_H16_S2048_D64').map(({ samples_ms }) => samples_ms);
    const pooled = bootstrapMedian(series.flat());
    const { low, high } = hierarchicalBootstrapMedian(series);
    expect(high - low).toBeGreaterThan(3 * (pooled.high - pooled.low));
  });

  it('takes the median of the process medians, not of all samples', () => {
    const series = [[1], [2], [9, 9, 9, 9, 9]];
    expect(hierarchicalBootstrapMedian(series).median).toBe(2);
  });

  it('is the plain bootstrap for a single process, within what 10,000 resamples can tell', () => {
    const values = Array.from({ length: 101 }, (_, index) => index + 1);
    const { low, high } = hierarchicalBootstrapMedian([values]);
    expect(Math.abs(low - 41)).toBeLessThanOrEqual(1);
    expect(Math.abs(high - 61)).toBeLessThanOrEqual(1);
  });

  it('covers the true median about as often as it says, for twelve processes that differ', () => {
    const random = new Xoshiro128(5);
    // Box & Muller, Annals of Mathematical Statistics 29(2), 1958.
    const normal = (): number =>
      Math.sqrt(-2 * Math.log(random.nextOpen())) * Math.cos(2 * Math.PI * random.nextOpen());
    const trials = 300;
    let covered = 0;
    for (let trial = 0; trial < trials; trial++) {
      const series = Array.from({ length: 12 }, () => {
        const mood = normal();
        return Array.from({ length: 30 }, () => 100 + mood + 0.2 * normal());
      });
      const { low, high } = hierarchicalBootstrapMedian(series, { resamples: 400, seed: trial });
      if (low <= 100 && 100 <= high) covered++;
    }
    expect(covered / trials).toBeGreaterThan(0.88);
    expect(covered / trials).toBeLessThanOrEqual(1);
  });

  it('lies around the median of process medians for the recorded processes', () => {
    const series = attentionSeries('B32_H8_S512_D64').map(({ samples_ms }) => samples_ms);
    const result = hierarchicalBootstrapMedian(series);
    expect(result.median).toBe(median(series.map((samples) => median(samples))));
    expect(result.low).toBeLessThanOrEqual(result.median);
    expect(result.high).toBeGreaterThanOrEqual(result.median);
  });

  it('refuses no processes and a process without samples', () => {
    expect(() => hierarchicalBootstrapMedian([])).toThrow(RangeError);
    expect(() => hierarchicalBootstrapMedian([[1], []])).toThrow(RangeError);
  });
});
