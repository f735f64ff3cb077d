import { describe, expect, test } from 'vitest';

import { findLine, linesOf, patternMistake } from '../../../src/learn/lessons/pattern.ts';

describe('patterns', () => {
  test.each([
    'undefined reference to .*<',
    '(?:a|b)c',
    '(?:a|b)?c',
    'a{2,10}b',
    String.raw`\[[^\]]*\]`,
    String.raw`ex2\.approx\S*f16x2`,
    '(?:ab)+c',
    '(?!x)y',
    String.raw`\d+ \w+ \S+`,
    'a[*+(]b+',
  ])('accepts %s', (source) => {
    expect(patternMistake(source)).toBeUndefined();
  });

  test.each([
    ['(a+)+b', 'repetitions or alternatives inside'],
    ['(?:a|aa)*b', 'repetitions or alternatives inside'],
    ['((a*)b)*c', 'repetitions or alternatives inside'],
    ['(a?){50}b', 'repetitions or alternatives inside'],
    ['(?:x(?:a|b))+y', 'repetitions or alternatives inside'],
    ['(?<n>a{1,9}){2,}', 'repetitions or alternatives inside'],
    ['.*a.*b.*c.*d', 'at most 3 repetitions'],
    ['a{1,}b{1,}c{1,}d{1,}', 'at most 3 repetitions'],
    ['a{5000}', 'counts go up to 100'],
    [String.raw`(a)\1`, 'references to groups'],
    [String.raw`(?<x>a)\k<x>`, 'references to groups'],
    ['(?<=a)b', 'looking behind'],
    ['a(b', 'Unterminated group'],
    ['', 'empty'],
    ['a*', 'matches an empty line'],
    ['x'.repeat(301), 'at most 300 characters'],
  ])('refuses %s', (source, why) => {
    expect(patternMistake(source)?.text).toContain(why);
  });
});

test('a line is looked at without its indentation, and only as far as lines go', () => {
  expect(linesOf('\t if  ( a )\r\n')).toEqual(['if ( a )', '']);
  const [line] = linesOf(`${'x'.repeat(10_000)}needle`);
  expect(line).toHaveLength(400);
  expect(findLine(['needle'], [line!])).toBeUndefined();
});

test('the number of the line is that in the file', () => {
  expect(findLine(['b'], linesOf('a\n\nb'))).toEqual({ line: 'b', number: 3 });
});
