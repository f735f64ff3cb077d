import { describe, expect, it } from 'vitest';

import { compareSamples } from '../../src/judge/compare-measurements.ts';
import { baselineSchema, EMPTY_BASELINE } from '../../src/model/baseline.ts';
import { entryKey, entryKeyText, matchesPattern } from '../../src/ratchet/entry-key.ts';
import { findEntry } from '../../src/ratchet/find-entry.ts';
import { entrySamples } from '../../src/ratchet/make-entry.ts';
import { accept, addFirst, advance, reset } from '../../src/ratchet/operations.ts';
import { verifyBaseline } from '../../src/ratchet/verify-baseline.ts';
import { waive } from '../../src/ratchet/waivers.ts';
import { acceptedOf, AUDIT, comparisonOf, runOf, textOf, twoEntries } from './accepted-of.ts';

const OLD = acceptedOf(1, 1);
const KEY = entryKey(OLD.measurement, OLD.samples);

describe('an entry', () => {
  it('is found by kernel, case, variant, mode, device class and toolchain', () => {
    const baseline = twoEntries();
    expect(findEntry(baseline, KEY)).toMatchObject({
      state: 'found',
      entry: { provenance: { commit: 'c1' } },
    });
    expect(findEntry(baseline, { ...KEY, case: 'other' })).toEqual({ state: 'new' });
    expect(findEntry(baseline, { ...KEY, variant: { BLOCK_M: 128 } })).toEqual({ state: 'new' });
    expect(findEntry(baseline, { ...KEY, mode: 'hot' })).toEqual({ state: 'new' });
  });

  it.each([
    ['GPU', { name: 'NVIDIA L4' }],
    ['driver', { driver: '590.1' }],
    ['CUDA', { cuda: '12.9' }],
    ['clock policy', { clocks: 'locked at 1980 MHz' }],
  ])('of another %s is not handed out, and is named', (_, other) => {
    const found = findEntry(twoEntries(), { ...KEY, device: { ...KEY.device, ...other } });
    expect(found).toMatchObject({ state: 'other-device-class', others: [KEY] });
    expect(found).toMatchObject({
      message: expect.stringContaining(
        'the baseline knows it on NVIDIA H200, driver 580.65, CUDA 13.0, clocks as-is',
      ),
    });
  });

  it('of another compiler is not handed out, and is named', () => {
    const toolchain = { language: 'cuda', compiler: 'nvcc 14.0' };
    expect(findEntry(twoEntries(), { ...KEY, toolchain })).toMatchObject({
      state: 'other-toolchain',
      message: expect.stringContaining(
        'built with cuda nvcc 14.0; the baseline knows it with cuda nvcc 13.0',
      ),
    });
  });

  it('keeps what a comparison needs: it judges as the run itself does', () => {
    const baseline = addFirst(EMPTY_BASELINE, OLD, AUDIT);
    const candidate = runOf(1.05, 7);
    const direct = compareSamples(OLD.samples, candidate).cases[0]!;
    const stored = compareSamples(entrySamples(baseline.entries), candidate).cases[0]!;
    expect(stored.verdict).toBe('regressed');
    if (stored.state !== 'estimated' || direct.state !== 'estimated') throw new Error('not estimated');
    expect(stored.change_pct).toBeCloseTo(direct.change_pct, 3);
    expect(baseline.entries[0]!.series[0]!.samples_ms.every((each) => String(each).length <= 8)).toBe(true);
  });

  it('says where it is from', () => {
    expect(addFirst(EMPTY_BASELINE, OLD, AUDIT).entries[0]!.provenance).toEqual({
      how: 'first',
      time: '2026-03-01T12:00:00.000Z',
      commit: 'c1',
      dirty: false,
      host: 'gpu1',
      binary_sha256: 'b'.repeat(64),
      seed: '42',
      check: 'passed',
    });
  });

  it('needs a device: without one it could be compared with any', () => {
    const { device: _, ...samples } = OLD.samples;
    expect(() => addFirst(EMPTY_BASELINE, { ...OLD, samples }, AUDIT)).toThrow(/on which device/);
  });

  it('needs a right result', () => {
    const check = { passed: false, oracle: 'o', tensors: [], tampering: [] };
    expect(() => addFirst(EMPTY_BASELINE, acceptedOf(1, 1, { check }), AUDIT)).toThrow(/is wrong/);
    const { check: _, ...measurement } = OLD.measurement;
    const unchecked = { measurement, samples: OLD.samples };
    expect(() => addFirst(EMPTY_BASELINE, unchecked, AUDIT)).toThrow(/was not compared/);
    const allowed = addFirst(EMPTY_BASELINE, { ...unchecked, allowUnchecked: true }, AUDIT);
    expect(allowed.entries[0]!.provenance.check).toBe('not-checked');
  });

  it('counts a lock that was refused as clocks as they are', () => {
    const key = (clocks: object) =>
      entryKey(OLD.measurement, { ...OLD.samples, environment: { clocks: { policy: 'lock', ...clocks } } });
    expect(key({ refused: 'no permission' }).device.clocks).toBe('as-is');
    expect(key({ locked_mhz: 1980 }).device.clocks).toBe('locked at 1980 MHz');
  });
});

describe('addFirst', () => {
  it('refuses a key that is there', () => {
    expect(() => addFirst(twoEntries(), OLD, AUDIT)).toThrow(/already/);
  });

  it('says in the log that a device class began', () => {
    const samples = { ...OLD.samples, device: { ...OLD.samples.device, name: 'NVIDIA L4' } };
    const baseline = addFirst(twoEntries(), { ...OLD, samples }, AUDIT);
    expect(baseline.entries).toHaveLength(3);
    expect(baseline.log.at(-1)!.summary).toContain('ran on NVIDIA L4');
  });
});

describe('advance', () => {
  const faster = acceptedOf(0.9, 8);

  it('moves an entry to a confirmed improvement and keeps the confirmation', () => {
    const baseline = advance(twoEntries(), faster, comparisonOf(OLD, faster), AUDIT);
    const found = findEntry(baseline, KEY);
    expect(found).toMatchObject({
      entry: { provenance: { how: 'advance', commit: 'c8', confirmation: { processes: [6, 6] } } },
    });
    expect(baseline.entries).toHaveLength(2);
    expect(baseline.log.at(-1)).toMatchObject({ type: 'advance', n: 3 });
    expect(baseline.log.at(-1)!.summary).toMatch(/^(9|10)\.\d % faster \(\+/);
    expect(verifyBaseline(textOf(baseline))).toEqual([]);
  });

  it.each([
    ['maintained', acceptedOf(1, 9)],
    ['regressed', acceptedOf(1.1, 9)],
  ])('refuses a confirmation that says %s', (verdict, candidate) => {
    const comparison = comparisonOf(OLD, candidate);
    expect(comparison.verdict).toBe(verdict);
    expect(() => advance(twoEntries(), candidate, comparison, AUDIT)).toThrow(verdict);
  });

  it('refuses even a gain that one process on a side shows', () => {
    const thin = (from: typeof OLD) => {
      const measurement = { ...from.measurement, series: from.measurement.series.slice(0, 1) };
      return { measurement, samples: { ...from.samples, measurements: [measurement] } };
    };
    const tenth = thin(acceptedOf(0.05, 3));
    const comparison = comparisonOf(thin(OLD), tenth);
    expect(comparison.verdict).toBe('improved');
    expect(() => advance(twoEntries(), tenth, comparison, AUDIT)).toThrow(/do not tell how much/);
  });

  it('refuses the confirmation of another case', () => {
    const comparison = { ...comparisonOf(OLD, faster), case: 'inference_1024' };
    expect(() => advance(twoEntries(), faster, comparison, AUDIT)).toThrow(
      /is about attention\/inference_1024/,
    );
  });

  it('refuses a key that has no entry on this device class', () => {
    const samples = { ...faster.samples, device: { ...faster.samples.device, driver: '590' } };
    const call = () => advance(twoEntries(), { ...faster, samples }, comparisonOf(OLD, faster), AUDIT);
    expect(call).toThrow(/has no entry .*driver 590.*the baseline knows it on/);
  });
});

describe('accept', () => {
  const slower = acceptedOf(1.2, 5);

  it('takes a slower result for a reason', () => {
    const acceptance = { reason: 'the old result was wrong', comparison: comparisonOf(OLD, slower) };
    const baseline = accept(twoEntries(), slower, acceptance, AUDIT);
    expect(baseline.log.at(-1)).toMatchObject({ type: 'accept', reason: 'the old result was wrong' });
    expect(baseline.log.at(-1)!.summary).toMatch(/accepted on purpose: \d+\.\d % slower/);
    expect(findEntry(baseline, KEY)).toMatchObject({ entry: { provenance: { how: 'accept' } } });
  });

  it('takes it under a waiver, names the waiver, and refuses it without either', () => {
    expect(() => accept(twoEntries(), slower, {}, AUDIT)).toThrow(/for a reason/);
    const request = { pattern: 'attention/*', reason: 'overflow fix', expires: '2026-04-01' };
    const waived = waive(twoEntries(), request, AUDIT);
    const baseline = accept(waived, slower, {}, AUDIT);
    expect(baseline.log.at(-1)).toMatchObject({ reason: 'overflow fix', waiver: waived.log.at(-1)!.hash });
    const late = { ...AUDIT, time: new Date('2026-04-02T00:00:00Z') };
    expect(() => accept(waived, slower, {}, late)).toThrow(/for a reason/);
  });
});

describe('reset', () => {
  it('takes an entry out for a reason, and the log says so', () => {
    expect(() => reset(twoEntries(), KEY, ' \n', AUDIT)).toThrow(/for a reason/);
    const baseline = reset(twoEntries(), KEY, 'new cooling', AUDIT);
    expect(findEntry(baseline, KEY).state).toBe('new');
    expect(baseline.log.at(-1)).toMatchObject({ type: 'reset', key: KEY, reason: 'new cooling' });
    expect(verifyBaseline(textOf(baseline))).toEqual([]);
    expect(verifyBaseline(textOf(addFirst(baseline, OLD, AUDIT)))).toEqual([]);
  });

  it('puts another measurement in its place, of the same key only', () => {
    const baseline = reset(twoEntries(), KEY, 'new cooling', AUDIT, acceptedOf(3, 4));
    expect(findEntry(baseline, KEY)).toMatchObject({ entry: { provenance: { how: 'reset', commit: 'c4' } } });
    expect(verifyBaseline(textOf(baseline))).toEqual([]);
    const other = acceptedOf(3, 4, { case: 'inference_1024' });
    expect(() => reset(twoEntries(), KEY, 'x', AUDIT, other)).toThrow(/cannot stand for/);
  });

  it('refuses a key that was never there', () => {
    expect(() => reset(EMPTY_BASELINE, KEY, 'x', AUDIT)).toThrow(/has no entry/);
  });
});

describe('the document', () => {
  it('keeps to its schema and holds a series on a line', () => {
    const text = textOf(twoEntries());
    expect(baselineSchema.parse(JSON.parse(text)).entries).toHaveLength(2);
    expect(text.split('\n').filter((line) => line.includes('"samples_ms": ['))).toHaveLength(12);
  });
});

describe('matchesPattern', () => {
  it.each([
    ['attention/training_512', true],
    ['attention/*', true],
    ['*', true],
    ['*512*', true],
    ['*H200*nvcc*', true],
    ['training_512', false],
    ['attention/training_51', false],
    ['*L4*', false],
    ['', false],
    [entryKeyText(KEY), true],
  ])('reads «%s» as %s', (pattern, expected) => {
    expect(matchesPattern(pattern, KEY)).toBe(expected);
  });

  it('takes no exponential time on a hostile pattern', () => {
    const key = { ...KEY, case: 'a'.repeat(5_000) };
    expect(matchesPattern(`${'*a'.repeat(1_000)}b`, key)).toBe(false);
  });
});
