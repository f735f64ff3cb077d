import { describe, expect, it } from 'vitest';

import { outcomesOf } from '../../../src/learn/advice/outcomes-of.ts';
import { fixOutcomeSchema } from '../../../src/model/learn/advice.ts';
import type { Try } from '../../../src/model/learn/session.ts';
import { attempt, session } from './records.ts';

const learnt = (one: Try) => outcomesOf([session('a', { tries: [one] })]);

describe('outcomes of sessions', () => {
  it('are what a try of a finding brought, beside what the rule promised', () => {
    const [one] = learnt(attempt('bank-conflicts', 7));
    expect(fixOutcomeSchema.parse(one)).toEqual({
      session: 'a',
      try: 1,
      date: '2026-05-01T10:20:00Z',
      rule: 'bank-conflicts',
      kind: 'attention',
      device: 'NVIDIA H200',
      expected_gain_pct: 20,
      change_pct: 7,
    });
  });

  it('are also those that brought nothing or made it worse', () => {
    expect(learnt(attempt('bank-conflicts', -3, { outcome: 'worse' }))).toHaveLength(1);
    expect(learnt(attempt('bank-conflicts', 0.1, { outcome: 'undecided' }))).toHaveLength(1);
  });

  it.each([
    ['follows no finding', attempt(undefined, 5)],
    ['was not measured', attempt('bank-conflicts', undefined)],
    ['was wrong', attempt('bank-conflicts', 50, { outcome: 'incorrect' })],
    ['failed', attempt('bank-conflicts', 5, { outcome: 'failed' })],
    ['changed several things at once', attempt('bank-conflicts', 5, { flags: ['several-variables'] })],
    ['changed nothing', attempt('bank-conflicts', 5, { flags: ['no-change'] })],
  ])('are none of a try that %s', (_, one) => {
    expect(learnt(one)).toEqual([]);
  });

  it('hold a try against what was predicted by hand where no rule promised anything', () => {
    const { rule_gain_pct: _, ...one } = attempt('bank-conflicts', 5, { predicted_change_pct: 12 });
    expect(learnt(one)[0]?.expected_gain_pct).toBe(12);
    const { predicted_change_pct: __, ...neither } = one;
    expect(learnt(neither)).toEqual([]);
  });

  it('come oldest first', () => {
    const at = (when: string) => {
      const one = attempt('tail-wave', 5);
      return { ...one, measured: { ...one.measured!, at: when } };
    };
    const outcomes = outcomesOf([
      session('b', { tries: [at('2026-06-02T00:00:00Z')] }),
      session('a', { tries: [at('2026-06-01T00:00:00Z')] }),
    ]);
    expect(outcomes.map(({ session: id }) => id)).toEqual(['a', 'b']);
  });
});
