import { expect, it } from 'vitest';

import { foldSession } from '../../../src/learn/session/fold-session.ts';
import { warnOfTries } from '../../../src/learn/session/warn-of-tries.ts';
import { measured, started, tried } from './session-records.ts';

const session = foldSession([
  started(),
  tried(1, 5, { hypothesis: 'a smaller tile', learnt: 'it read everything twice' }),
  measured(1, 8, -25),
]);

it('tells the mistakes of the same kernel with day, device, speed-up and cause, and nothing of another', () => {
  const now = new Date('2026-11-15T12:00:00Z');
  const place = { kind: 'attention', device: 'NVIDIA L4' };
  expect(warnOfTries([session], { ...place, kernel: 'attention' }, now)).toMatchObject([
    {
      text: 'a smaller tile: tried on 3 Nov on NVIDIA L4, 0.80×, because it read everything twice.',
      nearness: 'same-device',
    },
  ]);
  expect(warnOfTries([session], { ...place, kernel: 'gemm' }, now)).toEqual([]);
  const elsewhere = { ...place, device: 'NVIDIA H200', kernel: 'attention' };
  expect(warnOfTries([session], elsewhere, now)).toMatchObject([{ nearness: 'same-kind' }]);
});
