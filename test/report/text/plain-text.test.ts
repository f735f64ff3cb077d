import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  displayWidth,
  padEnd,
  plainDocument,
  plainLines,
  plainText,
  rowText,
  truncate,
  wrap,
} from '../../../src/report/text/plain-text.ts';

describe('plainText', () => {
  it('keeps letters of all scripts and drops what is not to be seen', () => {
    expect(plainText('größe 大きさ\u001B[2J\u202Eabc\u200B\nd')).toBe('größe 大きさ[2Jabc d');
  });

  it('never lets a control or format character through', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => !/\p{C}/u.test(plainText(text))));
  });
});

describe('plainDocument', () => {
  it('drops what plainText drops, and keeps lines', () => {
    expect(plainDocument('größe\u001B[2J\u202Eabc\u200B\nd\u00A0e')).toBe('größe[2Jabc\nd e');
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => !/[^\P{C}\n]/u.test(plainDocument(text))));
  });
});

describe('plainLines', () => {
  it('keeps the last lines that say something', () => {
    expect(plainLines('a\n\nb\r\nc\n', 2)).toEqual(['b', 'c']);
  });
});

describe('columns', () => {
  it('counts wide characters twice and combining ones not at all', () => {
    expect(displayWidth('大e\u0301')).toBe(3);
    expect(padEnd('大', 4)).toBe('大  ');
  });

  it('cuts to at most the columns asked for', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 20 }), (text, columns) => {
        expect(displayWidth(truncate(plainText(text), columns))).toBeLessThanOrEqual(columns);
      }),
    );
  });

  it('wraps at spaces and loses no word', () => {
    expect(wrap('one two three', 7)).toEqual(['one two', 'three']);
    expect(wrap('unbreakable', 3)).toEqual(['unbreakable']);
  });
});

it('breaks no line between a number and its unit', () => {
  expect(wrap('a threshold of 3 % is', 17)).toEqual(['a threshold of', '3 % is']);
  expect(wrap('it took 12 ms more', 10)).toEqual(['it took', '12 ms more']);
  expect(wrap('one ms_name', 4)).toEqual(['one', 'ms_name']);
});

it('keeps a row in its columns, and cuts nothing', () => {
  const cells = ['one ', 'two', 'a long last cell of a row'];
  expect(rowText(cells, 80)).toBe('one   two  a long last cell of a row');
  expect(rowText(cells, 30)).toBe('one   two\n    a long last cell of a row');
  expect(rowText(cells, Number.POSITIVE_INFINITY).split('\n')).toHaveLength(1);
  for (const line of rowText(cells, 24).split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(24);
});
