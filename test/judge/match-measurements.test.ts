import { describe, expect, it } from 'vitest';

import { deviceMismatch, matchMeasurements } from '../../src/judge/match-measurements.ts';
import type { Measurement } from '../../src/model/measure/samples.ts';
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

  it('joins records without process numbers as they are, with what was lost in each', () => {
    const lost = [{ process: 1, reason: 'crashed' as const, message: 'm' }];
    const nameless = measured({ series: [{ samples_ms: [1] }], lost });
    const { series, lost: all } = baselineOf(measured({}), nameless, measured({}), nameless)!;
    expect(series.map(({ process }) => process)).toEqual([undefined, 1, undefined]);
    expect(all).toEqual([...lost, ...lost]);
    expect(baselineOf(measured({}), measured({}), measured({}))).not.toHaveProperty('lost');
  });

  it('refuses two commits or two builds of one case in one file', () => {
    const binary = (digit: string) => ({ binary: { sha256: digit.repeat(64) } });
    for (const [one, other] of [
      [{ commit: 'a1' }, { commit: 'b2' }],
      [binary('a'), binary('b')],
    ]) {
      expect(() => baselineOf(measured({}), measured(one!), measured(other!))).toThrow(
        /more than one commit/,
      );
    }
  });

  it('says what only the baseline has', () => {
    const [a, b] = [measured({}), measured({ case: 'b' })];
    expect(matchMeasurements(samplesOf(a, b), samplesOf(a)).missing).toEqual([b]);
  });

  it('keeps a failed check of any of the joined records', () => {
    const check = { passed: false, oracle: 'numpy', tensors: [], tampering: [] };
    expect(baselineOf(measured({}), measured({}), measured({ check }))!.check?.passed).toBe(false);
    expect(baselineOf(measured({}), measured({ check }), measured({}))!.check?.passed).toBe(false);
  });
});

describe('deviceMismatch', () => {
  const device = { name: 'NVIDIA H200', driver: '580' };

  it('tells devices and drivers apart, and takes what a file does not say as the same', () => {
    expect(deviceMismatch(device, { ...device, name: 'NVIDIA L4' })).toContain('ran on NVIDIA H200');
    expect(deviceMismatch(device, { ...device, driver: '590' })).toContain('with driver 580');
    for (const same of [device, { name: device.name }, { driver: device.driver }, {}]) {
      expect(deviceMismatch(device, same)).toBeUndefined();
      expect(deviceMismatch(same, device)).toBeUndefined();
    }
  });
});
