import { expect, it } from 'vitest';

import { foldSession } from '../../src/learn/session/fold-session.ts';
import { workedMinutes } from '../../src/model/learn/session-progress.ts';
import { workTime } from '../../web/app/charts/work-time.ts';
import { gate, started } from '../learn/session/session-records.ts';

it.each([29, 30, 31])(
  '%d minutes without an event are a pause on a page where they are one in a session',
  (gap) => {
    const minutes = [0, 10, 10 + gap, 25 + gap];
    const [, first = 0, second = 0, third = 0] = minutes;
    const session = foldSession([
      started(),
      gate('builds', first),
      gate('room', second),
      gate('profiled', third),
    ]);
    const { total_min } = workTime(minutes.map((at) => [60_000 * at, 60_000 * at] as const));
    expect(workedMinutes(session)).toBe(gap > 30 ? 25 : 25 + gap);
    expect(total_min).toBe(workedMinutes(session));
  },
);
