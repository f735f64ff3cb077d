import { expect, it } from 'vitest';

import { minutesText, scaled, signed, speedupText, withThousands } from '../../src/model/text/number-text.ts';

it.each([
  [0.034, '0.034×'],
  [0.1, '0.10×'],
  [1.246, '1.25×'],
])('a speed-up of %d is %s', (speedup, text) => {
  expect(speedupText(speedup)).toBe(text);
});

it.each([
  [0, '0.0 min'],
  [4.24, '4.2 min'],
  [9.96, '10 min'],
  [59.4, '59 min'],
  [59.6, '1 h 00 min'],
  [125, '2 h 05 min'],
])('%d minutes are %s', (minutes, text) => {
  expect(minutesText(minutes)).toBe(text);
});

it.each([
  [3.14, '+3.1'],
  [-3.14, '−3.1'],
  [-0.04, '0.0'],
])('%d has its sign once it is written: %s', (value, text) => {
  expect(signed(value, (size) => size.toFixed(1))).toBe(text);
});

it.each([
  [12, '12 '],
  [999, '999 '],
  [1000, '1 k'],
  [33_554_432, '33.6 M'],
  [4.917e12, '4.92 T'],
  [5e22, '50000 E'],
])('%d before a unit is %s', (value, text) => {
  expect(scaled(value)).toBe(text);
});

it.each([
  [0, '0'],
  [999, '999'],
  [1000, '1,000'],
  [-12_345, '-12,345'],
  [1_234_567, '1,234,567'],
])('the count %d in thousands is %s', (count, text) => {
  expect(withThousands(count)).toBe(text);
});
