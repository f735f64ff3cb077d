import { describe, expect, it } from 'vitest';

import { cutList, fitResult } from '../../src/mcp/bounded.ts';

describe('a list', () => {
  it('says how many there are and how to see the rest where it is cut', () => {
    expect(cutList([1, 2, 3], 2, 'ask again')).toEqual({ items: [1, 2], total: 3, more: 'ask again' });
    expect(cutList([1, 2], 2, 'ask again')).toEqual({ items: [1, 2], total: 2 });
  });
});

describe('a result', () => {
  it('is cut at its largest lists until it fits, and the totals stay', () => {
    const long = Array.from({ length: 1000 }, (_, at) => ({ text: `${at} ${'x'.repeat(100)}` }));
    const fitting = fitResult(
      { few: cutList([1, 2], 5, ''), nested: { many: cutList(long, 1000, '') } },
      4096,
    );
    expect(Buffer.byteLength(JSON.stringify(fitting))).toBeLessThanOrEqual(4096);
    expect(fitting.few.items).toEqual([1, 2]);
    expect(fitting.nested.many.items.length).toBeGreaterThan(5);
    expect(fitting.nested.many).toMatchObject({ total: 1000, more: expect.stringContaining('Truncated') });
  });

  it('that fits is left as it is', () => {
    const value = { list: cutList([1, 2, 3], 10, '') };
    expect(fitResult(value)).toEqual({ list: { items: [1, 2, 3], total: 3 } });
  });
});
