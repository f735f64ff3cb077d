import { describe, expect, it } from 'vitest';

import { judgeTry } from '../../../src/learn/session/judge-try.ts';
import type { CaseComparison } from '../../../src/model/judge/comparison.ts';
import type { Verdict } from '../../../src/model/judge/verdict.ts';

function row(verdict: Verdict, ci_pct: [number, number]): CaseComparison {
  const estimated: Partial<CaseComparison> = { state: 'estimated', verdict, ci_pct };
  return estimated as CaseComparison;
}

function outcomeOf(one: CaseComparison): string {
  return judgeTry([{ ...one, case: 'small' }], 'small')!.outcome;
}

/** A case that was only checked. */
function checked(more: Partial<CaseComparison>): CaseComparison {
  return { state: 'not-estimated', case: 'ragged', reason: 'wrong.', ...more } as CaseComparison;
}

describe('what came of a try', () => {
  it('is a gain where a small one is certain', () => {
    expect(outcomeOf(row('maintained', [1.2, 3.3]))).toBe('improved');
  });

  it('is no gain where builds of one source may differ as much', () => {
    expect(outcomeOf(row('maintained', [0.3, 0.9]))).toBe('no-gain');
    expect(outcomeOf(row('maintained', [-1.4, 1.3]))).toBe('no-gain');
  });

  it('stays what the verdict says otherwise', () => {
    expect(outcomeOf(row('undecided', [0.6, 9]))).toBe('undecided');
    expect(outcomeOf(row('incorrect', [5, 9]))).toBe('incorrect');
    expect(outcomeOf(row('regressed', [-9, -5]))).toBe('worse');
  });

  it('is none where it does not build', () => {
    const fault = { during: 'build', message: 'no' } as CaseComparison['fault'];
    expect(outcomeOf({ ...row('incorrect', [0, 0]), fault })).toBe('failed');
  });

  it('is wrong where another case is, however fast the goal’s is', () => {
    const goal = { ...row('improved', [50, 60]), case: 'small' };
    const judged = judgeTry([goal, checked({ verdict: 'incorrect' })], 'small')!;
    expect(judged).toMatchObject({ outcome: 'incorrect', row: { case: 'ragged' }, reason: 'ragged: wrong.' });
  });

  it('says so where the state before it was wrong there too', () => {
    const goal = { ...row('improved', [50, 60]), case: 'small' };
    const baseline_fault = { verdict: 'incorrect', text: 'wrong' } as const;
    const { outcome, reason } = judgeTry([goal, checked({ verdict: 'incorrect', baseline_fault })], 'small')!;
    expect(outcome).toBe('incorrect');
    expect(reason).toBe('ragged: wrong. The state before it is wrong there too.');
  });

  it('is corrected, and not worse, where it is right in a case that was wrong', () => {
    const goal = { ...row('regressed', [-60, -50]), case: 'small', reason: 'slower.' };
    const baseline_fault = { verdict: 'incorrect', text: 'y differs' } as const;
    const judged = judgeTry([goal, checked({ verdict: 'new', baseline_fault })], 'small')!;
    expect(judged).toMatchObject({ outcome: 'corrected', row: { case: 'small' } });
    expect(judged.reason).toBe('ragged is right now, and was not before: y differs. small: slower.');
  });

  it('is undecided where a case cannot be run any more, and not where it never could', () => {
    const goal = { ...row('improved', [50, 60]), case: 'small' };
    const lost = checked({ verdict: 'undecided', reason: 'out of memory.' });
    expect(judgeTry([goal, lost], 'small')!.outcome).toBe('undecided');
    const baseline_fault = { verdict: 'undecided', text: 'out of memory' } as const;
    expect(judgeTry([goal, { ...lost, baseline_fault }], 'small')!.outcome).toBe('improved');
  });
});
