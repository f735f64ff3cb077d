import { describe, expect, it } from 'vitest';

import { linesOf, splitRecord } from '../../../src/profile/ncu/ncu-csv.ts';

const NCU = { separator: ',', quotesAll: true };
const SAVED_AGAIN = { separator: ';', quotesAll: false };

describe('a row', () => {
  it.each([
    ['"a","b"', ['a', 'b']],
    ['"a","b",', ['a', 'b', '']],
    ['"a","","c"', ['a', '', 'c']],
    ['"f<1, 2>(""x"")","b"', ['f<1, 2>("x")', 'b']],
    ['"a", "b"', ['a', 'b']],
    ['"a",,"c"', ['a', '', 'c']],
    ['""', ['']],
  ])('of ncu is taken apart: %s', (line, fields) => {
    expect(splitRecord(line, NCU)).toEqual({ state: 'whole', fields });
  });

  it.each(['"a","b', '"a","b""', '"'])('that ends inside a field is open: %s', (line) => {
    expect(splitRecord(line, NCU).state).toBe('open');
  });

  it.each(['12"a","b"', '"a"x,"b"', '"a",b', '"a","b"c'])(
    'that ncu cannot have written is broken: %s',
    (line) => {
      expect(splitRecord(line, NCU).state).toBe('broken');
    },
  );

  it('of a spreadsheet may leave quotes out', () => {
    expect(splitRecord('a;"b;c";4,5', SAVED_AGAIN)).toEqual({ state: 'whole', fields: ['a', 'b;c', '4,5'] });
    expect(splitRecord('a;b"c', SAVED_AGAIN).state).toBe('broken');
  });
});

describe('lines', () => {
  it('end in any way, and the last one may not', () => {
    expect([...linesOf('a\r\nb\n\nc')]).toEqual([
      { number: 1, text: 'a', isUnfinished: false },
      { number: 2, text: 'b', isUnfinished: false },
      { number: 3, text: '', isUnfinished: false },
      { number: 4, text: 'c', isUnfinished: true },
    ]);
  });
});
