import { expect, it } from 'vitest';

import { mergeComparisons, withCases } from '../../src/judge/merge-comparisons.ts';
import type { CaseComparison, CaseKey, Comparison } from '../../src/model/judge/comparison.ts';

const key = (name: string): CaseKey => ({ kernel: 'k', case: name, mode: 'hot' });

function row(name: string, verdict: CaseComparison['verdict'] = 'maintained'): CaseComparison {
  return { state: 'not-estimated', ...key(name), verdict, reason: `${verdict}.`, processes: [6, 6] };
}

function comparison(cases: CaseComparison[], missing: CaseKey[] = []): Comparison {
  return {
    schema: 'pawl.comparison/1',
    verdict: 'maintained',
    thresholds: { regression_pct: 3, improvement_pct: 5 },
    correction: 'holm',
    error_rates: { false_alarm: 0.005, miss: 0.025 },
    cases,
    missing,
  };
}

it('has the cases of all parts, and the worst of their verdicts', () => {
  const merged = mergeComparisons([comparison([row('a')]), comparison([row('b', 'regressed')])]);
  expect(merged.verdict).toBe('regressed');
  expect(merged.cases).toEqual([row('a'), row('b', 'regressed')]);
  expect(merged.missing).toEqual([]);
});

it('names what any part lacks on a side, once', () => {
  const merged = mergeComparisons([
    comparison([row('a')], [key('gone')]),
    comparison([row('b')], [key('gone'), key('lost')]),
  ]);
  expect(merged.missing).toEqual([key('gone'), key('lost')]);
});

it('does not call missing what another part has', () => {
  const merged = mergeComparisons([comparison([row('a')], [key('b')]), comparison([row('b'), row('c')])]);
  expect(merged.missing).toEqual([]);
});

it('has the protections that every part that measured had, whatever the others say', () => {
  const settled = { ...row('c'), processes: [0, 0] as [number, number] };
  const parts = [
    { ...comparison([row('a'), settled]), protections: ['landlock', 'seccomp'] as const },
    {
      ...comparison([{ ...row('b'), processes: [0, 1] as [number, number] }]),
      protections: ['seccomp'] as const,
    },
    { ...comparison([settled]), protections: [] },
  ] as unknown as Comparison[];
  expect(mergeComparisons(parts).protections).toEqual(['seccomp']);
});

it('keeps a case that one part has twice: new with other dimensions, and missing with the ones before', () => {
  const merged = mergeComparisons([comparison([row('a', 'new')], [key('a')]), comparison([row('b')])]);
  expect(merged.missing).toEqual([key('a')]);
});

it('still names what is missing when verdicts change', () => {
  expect(withCases(comparison([row('a')], [key('gone')]), [row('a', 'undecided')])).toMatchObject({
    verdict: 'undecided',
    missing: [key('gone')],
  });
});
