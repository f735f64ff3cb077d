import { describe, expect, it } from 'vitest';

import { distinctNames } from '../../../src/report/text/distinct-names.ts';
import { displayWidth } from '../../../src/report/text/plain-text.ts';

const kernel = (end: string): string => `void at::native::vectorized_elementwise_kernel<4, float>(${end})`;

describe('distinctNames', () => {
  it('leaves names that fit, and cuts at the end where that is enough', () => {
    expect(distinctNames(['short', 'a_rather_long_name'], 10)).toEqual(['short', 'a_rather_…']);
  });

  it.each([
    ['differ at their ends', [kernel('N=256'), kernel('N=512'), kernel('N=1024')]],
    ['differ in their middles', ['ab', 'cd', 'ef'].map((one) => `${'x'.repeat(30)}${one}${'y'.repeat(30)}`)],
    [
      'differ in places far apart',
      [
        `${'x'.repeat(9)}1${'y'.repeat(60)}`,
        `${'x'.repeat(50)}2${'z'.repeat(19)}`,
        `${'x'.repeat(9)}1${'y'.repeat(40)}3${'y'.repeat(19)}`,
      ],
    ],
  ])('keeps names apart that %s', (_, names) => {
    for (const columns of [12, 20, 30]) {
      const cut = distinctNames(names, columns);
      expect(new Set(cut).size).toBe(names.length);
      for (const name of cut) expect(displayWidth(name)).toBeLessThanOrEqual(columns);
    }
  });

  it('gives the same name twice where it stands twice', () => {
    const [one, other] = distinctNames([kernel('a'), kernel('a')], 12);
    expect(one).toBe(other);
  });
});
