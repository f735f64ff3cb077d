import { describe, expect, it } from 'vitest';

import { defined } from '../../src/model/defined.ts';
import { compareSamples } from '../../src/judge/compare-measurements.ts';
import { baselineSchema, EMPTY_BASELINE } from '../../src/model/judge/baseline.ts';
import { isCaseOf } from '../../src/model/judge/case-key.ts';
import { entryKey, entryKeyText, matchesPattern } from '../../src/ratchet/entry-key.ts';
import { findEntry } from '../../src/ratchet/find-entry.ts';
import { confirmationOf, entrySamples } from '../../src/ratchet/make-entry.ts';
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

  it('gives back all that it was made of, rounded to six digits', () => {
    const series = [
      {
        process: 3,
        samples_ms: [1.23456789, 2],
        clock_mhz: [1980.12345, 1979],
        warmup_cost_ms: 12.3456789,
        sampling_cost_ms: 7,
      },
    ];
    const { entries } = addFirst(EMPTY_BASELINE, acceptedOf(1, 1, { series }), AUDIT);
    expect(entrySamples(entries).measurements).toEqual([
      {
        kernel: 'attention',
        case: 'training_512',
        host: 'gpu1',
        variant: { BLOCK_M: 64 },
        mode: 'cold',
        commit: 'c1',
        dirty: false,
        dims: { B: 32, H: 8, S: 512, D: 64 },
        binary: { sha256: 'b'.repeat(64) },
        device: { name: 'NVIDIA H200', driver: '580.65', cuda_runtime: '13.0' },
        series: [
          {
            process: 3,
            samples_ms: [1.23457, 2],
            clock_mhz: [1980.12, 1979],
            warmup_cost_ms: 12.3457,
            sampling_cost_ms: 7,
          },
        ],
      },
    ]);
  });

  it('of a file from elsewhere has nothing that the file leaves out', () => {
    const samples = {
      schema: 'pawl.samples/1' as const,
      device: { name: 'a CPU' },
      measurements: [{ case: 'a', series: [{ samples_ms: [1, 2] }] }],
    };
    const accepted = { measurement: samples.measurements[0]!, samples, allowUnchecked: true };
    const [entry] = addFirst(EMPTY_BASELINE, accepted, AUDIT).entries;
    expect(JSON.parse(JSON.stringify(entry))).toStrictEqual({
      key: { case: 'a', variant: {}, device: { name: 'a CPU' }, toolchain: {} },
      series: [{ samples_ms: [1, 2] }],
      provenance: { how: 'first', time: '2026-03-01T12:00:00.000Z', check: 'not-checked' },
    });
    expect(entrySamples([entry!]).measurements).toStrictEqual([
      { case: 'a', variant: {}, device: { name: 'a CPU' }, series: [{ samples_ms: [1, 2] }] },
    ]);
  });

  it('needs series', () => {
    expect(() => addFirst(EMPTY_BASELINE, acceptedOf(1, 1, { series: [] }), AUDIT)).toThrow(/has no series/);
  });

  it('needs a tolerance that sees wrong results', () => {
    const blind = [{ answer: 'zeros', tensor: 'y', max_abs_err: 4e-4, atol: 1.2e-7, rtol: 1e-3 }];
    const check = { passed: true, oracle: 'o', tensors: [], tampering: [], blind };
    expect(() => addFirst(EMPTY_BASELINE, acceptedOf(1, 1, { check }), AUDIT)).toThrow(/blind/);
  });

  it('is of the toolchain that built it, or of the versions that ran it', () => {
    const toolchain = (rest: object) => entryKey({ ...OLD.measurement, ...rest }, OLD.samples).toolchain;
    const versions = { torch: '2.9', triton: '3.5' };
    expect(toolchain({})).toEqual({ language: 'cuda', compiler: 'nvcc 13.0' });
    expect(toolchain({ binary: { sha256: 'b'.repeat(64), toolchain: 'triton' }, versions })).toEqual({
      language: 'triton',
      compiler: 'torch 2.9, triton 3.5',
    });
    expect(toolchain({ binary: undefined, versions: { torch: '2.9' } })).toEqual({
      language: 'python',
      compiler: 'torch 2.9',
    });
    expect(toolchain({ binary: { sha256: 'b'.repeat(64), toolchain: 'c' } })).toEqual({ language: 'c' });
  });

  it('stands in the file by its key, whenever it came', () => {
    const cases = ['m', 'z', 'a', 'k'];
    const baseline = cases.reduce(
      (before, name) => addFirst(before, acceptedOf(1, 1, { case: name }), AUDIT),
      EMPTY_BASELINE,
    );
    expect(baseline.entries.map(({ key }) => key.case)).toEqual(['a', 'k', 'm', 'z']);
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

  it('says that timed results were compared where those of every series were', () => {
    const entryOf = (...verified: (boolean | undefined)[]) => {
      const [measured] = OLD.measurement.series;
      const series = verified.map((one) => Object.assign({}, measured!, defined({ verified: one })));
      return addFirst(EMPTY_BASELINE, acceptedOf(1, 1, { series }), AUDIT).entries[0]!;
    };
    expect(entryOf(true, true).provenance.verified).toBe(true);
    expect(entryOf(true, false).provenance).not.toHaveProperty('verified');
    expect(entryOf(true, undefined).provenance).not.toHaveProperty('verified');
  });

  it('needs a device: without one it could be compared with any', () => {
    const { device: _, ...samples } = OLD.samples;
    expect(() => addFirst(EMPTY_BASELINE, { ...OLD, samples }, AUDIT)).toThrow(/does not name its device/);
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

  it('is about the case of a comparison that leaves out what a file from elsewhere does', () => {
    const { case: name, kernel, mode, variant } = KEY;
    expect(isCaseOf(KEY, { case: name })).toBe(true);
    expect(isCaseOf(KEY, { case: name, kernel, mode, variant })).toBe(true);
    for (const other of [{ case: 'other' }, { kernel: 'other' }, { mode: 'hot' as const }, { variant: {} }]) {
      expect(isCaseOf(KEY, { case: name, ...other })).toBe(false);
    }
  });

  it('counts a lock that was refused as clocks as they are', () => {
    const key = (clocks: object) =>
      entryKey(OLD.measurement, { ...OLD.samples, environment: { clocks: { policy: 'lock', ...clocks } } });
    expect(key({ refused: 'no permission' }).device.clocks).toBe('as-is');
    expect(key({ locked_mhz: 1980 }).device.clocks).toBe('locked at 1980 MHz');
    expect(key({}).device.clocks).toBe('locked');
    expect(entryKey(OLD.measurement, { ...OLD.samples, environment: {} }).device.clocks).toBeUndefined();
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
    expect(() => advance(twoEntries(), tenth, comparison, AUDIT)).toThrow(/too few to estimate/);
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

  it('refuses the comparison of another case', () => {
    const comparison = { ...comparisonOf(OLD, slower), case: 'inference_1024' };
    expect(() => accept(twoEntries(), slower, { reason: 'r', comparison }, AUDIT)).toThrow(/is about/);
  });

  it('keeps what was compared, and nothing where nothing was', () => {
    const comparison = comparisonOf(OLD, slower);
    const compared = accept(twoEntries(), slower, { reason: 'r', comparison }, AUDIT);
    expect(compared.log.at(-1)).toMatchObject({ confirmation: confirmationOf(comparison) });
    const alone = accept(twoEntries(), slower, { reason: 'r' }, AUDIT);
    expect(alone.log.at(-1)).toMatchObject({ summary: 'accepted as it is' });
    expect(alone.log.at(-1)).not.toHaveProperty('confirmation');
    expect(
      confirmationOf({ state: 'not-estimated', case: 'a', verdict: 'new', reason: '', processes: [0, 1] }),
    ).toBeUndefined();
  });

  it('takes it under a waiver, names the waiver, and refuses it without either', () => {
    expect(() => accept(twoEntries(), slower, {}, AUDIT)).toThrow(/with a reason/);
    const request = { pattern: 'attention/*', reason: 'overflow fix', expires: '2026-04-01' };
    const waived = waive(twoEntries(), request, AUDIT);
    const baseline = accept(waived, slower, {}, AUDIT);
    expect(baseline.log.at(-1)).toMatchObject({ reason: 'overflow fix', waiver: waived.log.at(-1)!.hash });
    const late = { ...AUDIT, time: new Date('2026-04-02T00:00:00Z') };
    expect(() => accept(waived, slower, {}, late)).toThrow(/with a reason/);
  });
});

describe('reset', () => {
  it('takes an entry out for a reason, and the log says so', () => {
    expect(() => reset(twoEntries(), KEY, ' \n', AUDIT)).toThrow(/with a reason/);
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
    expect(() => reset(twoEntries(), KEY, 'x', AUDIT, other)).toThrow(/cannot replace/);
  });

  it('takes out an entry that was taken out by hand, so that the log says so', () => {
    const { entries, log } = twoEntries();
    const edited = { entries: entries.filter(({ key }) => key.case !== KEY.case), log };
    const baseline = reset(edited, KEY, 'by hand', AUDIT);
    expect(verifyBaseline(textOf(baseline))).toEqual([]);
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
    ['attention/training_512*', true],
    ['attention/training_512**', true],
    ['attention/training_512x*', false],
    ['a*n/training*512', true],
    ['*H200*nvcc*', true],
    ['training_512', false],
    ['attention/training_51', false],
    ['*L4*', false],
    ['', false],
    [entryKeyText(KEY), true],
  ])('reads "%s" as %s', (pattern, expected) => {
    expect(matchesPattern(pattern, KEY)).toBe(expected);
  });

  it('takes no exponential time on a hostile pattern', () => {
    const key = { ...KEY, case: 'a'.repeat(5_000) };
    expect(matchesPattern(`${'*a'.repeat(1_000)}b`, key)).toBe(false);
  });
});
