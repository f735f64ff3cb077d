import { describe, expect, it } from 'vitest';

import { atBest, holdBack } from '../../src/judge/hold-back.ts';
import type { Comparison } from '../../src/model/judge/comparison.ts';
import type { Verdict } from '../../src/model/judge/verdict.ts';
import type { JudgeChange } from '../../src/model/judge/judge-change.ts';

const CHANGE: JudgeChange = { kind: 'oracle', subject: 'oracle.cpp', text: 'oracle.cpp was edited' };

function comparison(...verdicts: readonly Verdict[]): Comparison {
  return {
    schema: 'pawl.comparison/1',
    verdict: verdicts[0]!,
    thresholds: { regression_pct: 3, improvement_pct: 5 },
    correction: 'holm',
    error_rates: { false_alarm: 0.01, miss: 0.05 },
    cases: verdicts.map((verdict, index) => ({
      state: 'not-estimated',
      case: `case-${index}`,
      verdict,
      reason: 'as it was seen.',
      processes: [0, 0],
    })),
    missing: [],
  };
}

describe('a comparison of a change that alters its own judge', () => {
  it('is undecided where it would be good, and stays what it is where it is not', () => {
    const verdicts = ['maintained', 'improved', 'new', 'undecided', 'regressed', 'incorrect'] as const;
    const held = holdBack(comparison(...verdicts), { judge_changes: [CHANGE] });
    expect(held.cases.map(({ verdict }) => verdict)).toEqual([
      'undecided',
      'undecided',
      'undecided',
      'undecided',
      'regressed',
      'incorrect',
    ]);
    expect(held.verdict).toBe('undecided');
    expect(held.cases[1]?.reason).toMatch(
      /^improved by the base's judge: as it was seen\. The change alters/,
    );
    expect(held.judge_changes).toEqual([CHANGE]);
  });

  it('is what it is once a person has accepted it, and says who', () => {
    const judge_accepted = { by: 'Ann', at: '2026-01-01T00:00:00.000Z' };
    const held = holdBack(comparison('improved'), { judge_changes: [CHANGE], judge_accepted });
    expect(held).toMatchObject({ verdict: 'improved', judge_accepted, judge_changes: [CHANGE] });
  });

  it('is not held back by what is only shown, nor touched where nothing was altered', () => {
    const waiver: JudgeChange = { kind: 'waiver', subject: 'a/b', text: 'a waiver' };
    expect(atBest('maintained', { judge_changes: [waiver] })).toBe('maintained');
    const good = comparison('maintained');
    expect(holdBack(good, { judge_changes: [] })).toBe(good);
  });
});
