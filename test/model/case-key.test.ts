import { describe, expect, it } from 'vitest';

import { caseId, caseText, isCaseOf, isSameCase, isSameUpToVariant } from '../../src/model/judge/case-key.ts';

const whole = { kernel: 'k', case: 'a', variant: { tile: 8 }, mode: 'hot' };

describe('caseText', () => {
  it('names what distinguishes a case', () => {
    expect(caseText({ case: 'a' })).toBe('a');
    expect(caseText(whole)).toBe('k/a (tile=8, hot)');
  });
});

describe('caseId', () => {
  it('is the same whatever else is known, in whatever order, and for no variant as for an empty one', () => {
    const known = { ...whole, variant: { b: 1, a: 2 }, reason: 'it was faster' };
    expect(caseId(known)).toBe(caseId({ ...whole, variant: { a: 2, b: 1 } }));
    expect(caseId({ case: 'a', variant: {} })).toBe(caseId({ case: 'a' }));
  });

  it('differs where any field does, however the fields would read one after the other', () => {
    const others = [
      { ...whole, kernel: 'K' },
      { ...whole, case: 'b' },
      { ...whole, variant: { tile: 9 } },
      { ...whole, mode: 'cold' },
    ];
    for (const other of others) expect(isSameCase(whole, other)).toBe(false);
    expect(isSameCase({ kernel: 'a', case: 'b/c' }, { kernel: 'a/b', case: 'c' })).toBe(false);
  });
});

describe('isSameUpToVariant', () => {
  it('looks at all but the variant', () => {
    expect(isSameUpToVariant(whole, { ...whole, variant: { tile: 9 } })).toBe(true);
    expect(isSameUpToVariant(whole, { ...whole, mode: 'cold' })).toBe(false);
  });
});

describe('isCaseOf', () => {
  it('takes what a comparison leaves out for any, and nothing that it says', () => {
    expect(isCaseOf(whole, { case: 'a' })).toBe(true);
    expect(isCaseOf(whole, { case: 'a', variant: { tile: 9 } })).toBe(false);
    expect(isCaseOf({ case: 'a' }, whole)).toBe(false);
  });
});
