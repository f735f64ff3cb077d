import { describe, expect, it } from 'vitest';

import type { KernelPlan } from '../../src/config/plan-kernel.ts';
import type { Baseline, BaselineEntry } from '../../src/model/judge/baseline.ts';
import { vanishedEntries, type VanishedFrom } from '../../src/ratchet/vanished-entries.ts';

function entry(
  kernel: string,
  name: string,
  N: number,
  { device = 'CPU', day = '01' }: { readonly device?: string; readonly day?: string } = {},
): BaselineEntry {
  return {
    key: { kernel, case: name, variant: {}, mode: 'hot', device: { name: device }, toolchain: {} },
    dims: { N },
    series: [{ samples_ms: [1] }],
    provenance: { how: 'first', time: `2026-01-${day}T00:00:00.000Z`, check: 'passed' },
  };
}

/** Only what is looked at. */
function plan(name: string, cases: Readonly<Record<string, number>>): KernelPlan {
  const planned = Object.entries(cases).map(([each, value]) => ({
    name: each,
    dims: [{ name: 'N', value }],
  }));
  return { name, cases: planned } as unknown as KernelPlan;
}

const BASELINE: Baseline = { entries: [entry('k', 'small', 100), entry('k', 'large', 200)], log: [] };

const textsOf = (plans: readonly KernelPlan[], more: Partial<VanishedFrom> = {}, baseline = BASELINE) =>
  vanishedEntries(baseline, { plans, modes: ['hot'], devices: ['CPU', undefined], ...more }).map(
    ({ text }) => text,
  );

describe('vanishedEntries', () => {
  it('is empty where every entry has its case, also under another name', () => {
    expect(textsOf([plan('k', { small: 100, large: 200 })])).toEqual([]);
    expect(textsOf([plan('k', { small: 100, big: 200 })])).toEqual([]);
  });

  it('names entries whose kernel or case is gone, or whose case has other dimensions', () => {
    expect(textsOf([plan('renamed', { small: 100, large: 200 })])).toEqual([
      'k/small: the baseline has it, and pawl.yaml has no such kernel',
      'k/large: the baseline has it, and pawl.yaml has no such kernel',
    ]);
    expect(textsOf([plan('k', { small: 100 })])).toEqual([
      'k/large: the baseline has it, and pawl.yaml has no such case',
    ]);
    expect(textsOf([plan('k', { small: 100, large: 300 })])).toEqual([
      'k/large: it has other dimensions than its entry: N=200 → N=300',
    ]);
  });

  it('does not ask for other devices, modes, kernels and cases than those that are measured', () => {
    const gone = [plan('other', { small: 100 })];
    expect(textsOf(gone, { devices: ['another CPU'] })).toEqual([]);
    expect(textsOf(gone, { modes: ['cold'] })).toEqual([]);
    expect(textsOf(gone, { only: ['other'] })).toEqual([]);
    expect(textsOf(gone, { cases: ['small'] })).toHaveLength(1);
  });

  it('goes by the newest of several entries of a case', () => {
    const baseline = { ...BASELINE, entries: [...BASELINE.entries, entry('k', 'large', 300, { day: '02' })] };
    expect(textsOf([plan('k', { small: 100, large: 300 })], {}, baseline)).toEqual([]);
    const later = {
      ...BASELINE,
      entries: [entry('k', 'small', 100, { day: '02' }), entry('k', 'small', 50)],
    };
    expect(textsOf([plan('k', { small: 100 })], {}, later)).toEqual([]);
  });

  it('names a case that has the dimensions of another one now', () => {
    expect(textsOf([plan('k', { small: 200, large: 100 })])).toEqual([
      'k/small: it has other dimensions than its entry: N=100 → N=200',
      'k/large: it has other dimensions than its entry: N=200 → N=100',
    ]);
  });

  it('asks for all kernels and cases where none are named', () => {
    expect(textsOf([plan('other', { small: 100 })], { only: undefined, cases: undefined })).toHaveLength(2);
    expect(textsOf([plan('k', {})], { cases: ['large'] })).toHaveLength(1);
  });

  it('knows what a person accepted since', () => {
    const judge = { type: 'judge', time: '2026-01-05T00:00:00.000Z' } as Baseline['log'][number];
    const from = { plans: [plan('k', { small: 100 })], modes: ['hot'], devices: ['CPU'] } as const;
    expect(vanishedEntries({ ...BASELINE, log: [judge] }, from)).toMatchObject([{ isAccepted: true }]);
    expect(vanishedEntries(BASELINE, from)).toMatchObject([{ isAccepted: false }]);
  });
});
