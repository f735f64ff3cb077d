import { describe, expect, it } from 'vitest';

import { outcomeOf } from '../../../src/learn/session/judge-try.ts';
import type { CaseComparison } from '../../../src/model/comparison.ts';
import type { Verdict } from '../../../src/model/verdict.ts';

function row(verdict: Verdict, ci_pct: [number, number]): CaseComparison {
  const estimated: Partial<CaseComparison> = { state: 'estimated', verdict, ci_pct };
  return estimated as CaseComparison;
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
});
