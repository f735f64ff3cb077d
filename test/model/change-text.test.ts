import { describe, expect, it } from 'vitest';

import {
  changeText,
  changeWords,
  intervalWords,
  roughChangeWords,
  sizesText,
  signedPercent,
} from '../../src/model/text/change-text.ts';

describe('a change in figures', () => {
  it('has its sign, two decimals below 1 % and one above, and its interval where there is one', () => {
    expect(changeText({ change_pct: 3.14, ci_pct: [-0.421, 12] })).toBe('+3.1 % (−0.42 … +12.0)');
    expect(changeText({ change_pct: -20 })).toBe('−20.0 %');
    expect(signedPercent(-0.001)).toBe('0.00');
  });
});

describe('a change in words', () => {
  it('says which way, without a sign and without zeros at the end', () => {
    expect([3.04, -0.4, 0.001].map(changeWords)).toEqual(['3 % faster', '0.4 % slower', 'unchanged']);
    expect(intervalWords([-0.3, 2])).toBe('−0.3 % to +2 %');
  });

  it('is a factor from twice on, on either side', () => {
    expect([-99, -100, -250, -1150].map(changeWords)).toEqual([
      '99 % slower',
      '2× slower',
      '3.5× slower',
      '13× slower',
    ]);
    expect([49, 50, 55.2].map(changeWords)).toEqual(['49 % faster', '2× faster', '2.2× faster']);
    expect(changeWords(100)).toBe('100 % faster');
  });

  it('is as coarse in a headline as a reader keeps it in mind', () => {
    expect([-51.26, -5.94, -0.42, 12.5].map(roughChangeWords)).toEqual([
      '51 % slower',
      '5.9 % slower',
      '0.42 % slower',
      '13 % faster',
    ]);
  });

  it('has the ends of its interval without signs, where they agree', () => {
    expect(sizesText({ change_pct: -51, ci_pct: [-59.2, -41] })).toBe('41 to 59.2 %');
    expect(sizesText({ change_pct: 12, ci_pct: [10, 14.5] })).toBe('10 to 14.5 %');
    expect(sizesText({ change_pct: -110, ci_pct: [-227.7, -16.8] })).toBe('1.2 to 3.3×');
    expect(sizesText({ change_pct: -2, ci_pct: [-4, 1] })).toBeUndefined();
  });
});
