import { expect, test } from 'vitest';

import { timeStamp } from '../../src/model/text/time-stamp.ts';

test('a time in a name is in UTC, to the second, and sorts by time', () => {
  expect(timeStamp(new Date('2026-11-15T10:30:05.999+01:00'))).toBe('20261115-093005');
});
