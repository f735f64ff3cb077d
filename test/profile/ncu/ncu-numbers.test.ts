import { describe, expect, it } from 'vitest';

import {
  evidenceOf,
  numberValue,
  parseNumber,
  type DecimalMark,
} from '../../../src/profile/ncu/ncu-numbers.ts';

function value(text: string, mark: DecimalMark, shift = 0): number | undefined {
  return numberValue(text, parseNumber(text), mark, shift);
}

describe('a number as ncu prints it', () => {
  it.each([
    ['0', 0],
    ['-17', -17],
    ['65.77', 65.77],
    ['0.123', 0.123],
    ['1234.5', 1234.5],
    ['7438336.000000', 7438336],
    ['3,199,044,843.78', 3199044843.78],
    ['1,569,949', 1569949],
    ['65,77', 65.77],
    ['0,123', 0.123],
    ['1.234,5', 1234.5],
    ['2.508.800', 2508800],
    ['1 234,5', 1234.5],
    ['1\u202f234', 1234],
    ["1'234.5", 1234.5],
    ['1.5e-05', 1.5e-5],
    ['1,5e+06', 1.5e6],
  ])('is read from "%s" without help, as there is one way only', (text, expected) => {
    expect(value(text, 'unknown')).toBe(expected);
    expect(value(text, 'mixed')).toBe(expected);
  });

  it.each([
    ['1,234', 1234, 1.234],
    ['1.234', 1.234, 1234],
    ['-12,345', -12345, -12.345],
  ])('is read from "%s" by what the rest of the table says, and not at all without', (text, point, comma) => {
    expect(parseNumber(text).form).toBe('either');
    expect(value(text, '.')).toBe(point);
    expect(value(text, ',')).toBe(comma);
    expect(value(text, 'unknown')).toBeUndefined();
    expect(value(text, 'mixed')).toBeUndefined();
  });

  it.each(['', '-', 'n/a', 'N/A', 'nan', '-nan(ind)', 'inf', '-inf', 'no data'])(
    'is absent in "%s"',
    (text) => {
      expect(parseNumber(text).form).toBe('absent');
    },
  );

  it.each([
    '1,23,456',
    '1.2.3',
    '1,234,5',
    '0,123,456',
    '1,234.567,8',
    '12 34',
    '.5',
    '5.',
    '0x1f',
    '1-2',
    '٣',
    '1..2',
    '007',
    '(1, 2)',
    '12 (3; 4)',
    '1,234e3,',
  ])('is not seen in "%s"', (text) => {
    expect(parseNumber(text).form).toBe('text');
  });

  it('contradicts a table that writes its numbers otherwise', () => {
    expect(value('65.77', ',')).toBeUndefined();
    expect(value('65,77', '.')).toBeUndefined();
  });

  it('too large to be one is none', () => {
    expect(value('1e400', '.')).toBeUndefined();
  });

  it('is scaled without a rounding of its own', () => {
    expect(value('69.408', '.', 3)).toBe(69408);
    expect(value('4.114144689', '.', 12)).toBe(4114144689000);
  });

  it('of whole things tells the decimal mark', () => {
    expect(evidenceOf('4,512', parseNumber('4,512'), true)).toBe('.');
    expect(evidenceOf('4.512', parseNumber('4.512'), true)).toBe(',');
    expect(evidenceOf('4,512', parseNumber('4,512'), false)).toBeUndefined();
  });
});
