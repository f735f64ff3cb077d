import { expect, it } from 'vitest';

import { sparkline } from '../../src/report/sparkline.ts';

it('draws the fullest bin highest, an empty one blank and a nearly empty one still visible', () => {
  expect(sparkline([0, 1, 50, 100])).toBe(' ▁▄█');
  expect(sparkline([0, 0])).toBe('  ');
});
