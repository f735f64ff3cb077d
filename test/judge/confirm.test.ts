import { describe, expect, it } from 'vitest';

import type { CaseComparison, Comparison } from '../../src/model/judge/comparison.ts';
import { confirmed, needsConfirmation } from '../../src/judge/confirm.ts';

function one(verdict: CaseComparison['verdict']): CaseComparison {
  return {
    state: 'not-estimated',
    kernel: 'k',
    case: 'c',
    mode: 'hot',
    verdict,
    reason: `${verdict}.`,
    processes: [6, 6],
  };
}

function comparison(...cases: CaseComparison[]): Comparison {
  return {
    schema: 'pawl.comparison/1',
    verdict: cases[0]?.verdict ?? 'new',
    thresholds: { regression_pct: 3, improvement_pct: 5 },
    correction: 'holm',
    error_rates: { false_alarm: 0.005, miss: 0.025 },
    cases,
    missing: [],
  };
}

describe('confirmed', () => {
  it('is asked of what somebody will act on, and of nothing else', () => {
    const asked = (['regressed', 'improved', 'maintained', 'undecided', 'new', 'incorrect'] as const).filter(
      (verdict) => needsConfirmation(one(verdict)),
    );
    expect(asked).toEqual(['regressed', 'improved']);
  });

  it('keeps a verdict that the second measurement repeats', () => {
    expect(confirmed(one('regressed'), comparison(one('regressed')))).toMatchObject({
      verdict: 'regressed',
      reason: expect.stringContaining('Confirmed by a second, independent measurement') as string,
    });
  });

  it.each(['maintained', 'undecided', 'improved'] as const)(
    'decides nothing when the second says %s',
    (second) => {
      const result = confirmed(one('regressed'), comparison(one(second)));
      expect(result.verdict).toBe('undecided');
      expect(result.reason).toContain(`said regressed, a second one ${second}`);
    },
  );

  it.each([undefined, comparison()])(
    'does not fail on a regression that could not be measured again',
    (second) => {
      expect(confirmed(one('regressed'), second).verdict).toBe('undecided');
    },
  );
});
