import { expect, test } from 'vitest';

import { parseMoment } from '../../src/model/text/moment.ts';

const NOW = new Date('2026-11-15T12:00:00Z');
const iso = (text: string) => parseMoment(text, NOW)?.toISOString();

test('ages count back from now in hours, days and weeks', () => {
  expect(iso('12h')).toBe('2026-11-15T00:00:00.000Z');
  expect(iso('30d')).toBe('2026-10-16T12:00:00.000Z');
  expect(iso('2w')).toBe('2026-11-01T12:00:00.000Z');
});

test('dates and times are themselves', () => {
  expect(iso('2026-07-01')).toBe('2026-07-01T00:00:00.000Z');
  expect(iso('2026-07-01T10:30:00+02:00')).toBe('2026-07-01T08:30:00.000Z');
});

test.each(['5', '2026', 'May', '30', '30x', 'd', '-3d', '1.5d', '', '2026-13-01', 'yesterday'])(
  '"%s" is no moment',
  (text) => {
    expect(parseMoment(text, NOW)).toBeUndefined();
  },
);
