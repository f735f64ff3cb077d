import { describe, expect, it } from 'vitest';

import { matchMeasurements } from '../../src/judge/match-measurements.ts';
import type { Measurement } from '../../src/model/samples.ts';
import { samplesOf } from './samples-of.ts';

function measured(rest: Partial<Measurement>): Measurement {
  return { case: 'a', series: [{ process: 1, samples_ms: [1] }], ...rest };
}

function baselineOf(candidate: Measurement, ...baseline: Measurement[]): Measurement | undefined {
  return matchMeasurements(samplesOf(...baseline), samplesOf(candidate)).pairs[0]!.baseline;
}

describe('matchMeasurements', () => {
  it('tells kernels, cases, variants and modes apart', () => {
    const full = measured({ kernel: 'attention', variant: { tile: 64 }, mode: 'cold' });
    expect(baselineOf(full, full)).toBe(full);
    for (const other of [
      { ...full, kernel: 'matmul' },
      { ...full, case: 'b' },
      { ...full, variant: { tile: 32 } },
      { ...full, mode: 'hot' as const },
    ]) {
      expect(baselineOf(full, other)).toBeUndefined();
    }
  });

  it('lets what a file from elsewhere leaves out match anything', () => {
    const full = measured({ kernel: 'attention', variant: {}, mode: 'cold' });
    const bare = measured({});
    expect(baselineOf(bare, full)).toBe(full);
    expect(baselineOf(full, bare)).toBe(bare);
  });

  it('prefers the exact match, and refuses to guess between two others', () => {
    const cold = measured({ mode: 'cold' });
    const hot = measured({ mode: 'hot' });
    const bare = measured({});
    expect(baselineOf(cold, bare, cold)).toBe(cold);
    expect(() => baselineOf(bare, cold, hot)).toThrow(/more than one measurement of the baseline/);
    expect(() => matchMeasurements(samplesOf(bare), samplesOf(cold, hot))).toThrow(
      /more than one measurement of the candidate/,
    );
  });

  it('joins records of one commit, whose process numbers are their own', () => {
    const joined = baselineOf(measured({}), measured({}), measured({}))!;
    expect(joined.series.map(({ process }) => process)).toEqual([1, 2]);
  });

  it('refuses two commits of one case in one file', () => {
    expect(() => baselineOf(measured({}), measured({ commit: 'a1' }), measured({ commit: 'b2' }))).toThrow(
      /more than one commit/,
    );
  });

  it('keeps a failed check of any of the joined records', () => {
    const check = { passed: false, oracle: 'numpy', tensors: [], tampering: [] };
    expect(baselineOf(measured({}), measured({}), measured({ check }))!.check?.passed).toBe(false);
    expect(baselineOf(measured({}), measured({ check }), measured({}))!.check?.passed).toBe(false);
  });
});
