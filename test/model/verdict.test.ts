import { describe, expect, it } from 'vitest';

import { byUrgency, VERDICTS, VERDICTS_BY_URGENCY, worstVerdict } from '../../src/model/judge/verdict.ts';

describe('worstVerdict', () => {
  it('is that of the worst case, and nothing is known where nothing was compared', () => {
    expect(worstVerdict([{ verdict: 'improved' }, { verdict: 'regressed' }, { verdict: 'new' }])).toBe(
      'regressed',
    );
    expect(worstVerdict([])).toBe('undecided');
  });
});

describe('byUrgency', () => {
  it('puts what fails first, and what is unchanged behind what is new', () => {
    const cases = VERDICTS.map((verdict) => ({ verdict }));
    expect(cases.toSorted(byUrgency).map(({ verdict }) => verdict)).toEqual([
      'incorrect',
      'regressed',
      'undecided',
      'improved',
      'new',
      'maintained',
    ]);
    expect(VERDICTS_BY_URGENCY).toHaveLength(VERDICTS.length);
  });
});
