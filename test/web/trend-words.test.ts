import { describe, expect, it } from 'vitest';

import { noChangeText, restsOn, tickTexts } from '../../web/app/common/format.ts';

describe('a trend without changes', () => {
  it('says from how many points on changes are looked for, while there are fewer', () => {
    expect(noChangeText(3)).toMatch(/from 5 points on, and here are 3/u);
    expect(noChangeText(5)).not.toMatch(/looked for/u);
  });

  it.each([3, 50])('points to the verdicts, of %d points', (points) => {
    expect(noChangeText(points)).toMatch(/verdicts of checks/u);
  });
});

describe('ticks', () => {
  it('are days, and hours where a day has several', () => {
    const [first, second] = ['2026-11-15T08:05:00.000Z', '2026-11-16T09:00:00.000Z'];
    expect(tickTexts([first, undefined, second])).toEqual(['2026-11-15', '', '2026-11-16']);
    expect(tickTexts([first, '2026-11-15T14:30:00.000Z'])).toEqual(['11-15 08:05', '11-15 14:30']);
  });
});

describe('a point', () => {
  const point = {
    commit: 'c',
    time: '',
    run: 'r',
    level_ms: 1,
    ci_ms: [1, 1] as [number, number],
    processes: 10,
    samples: 200,
  };

  it('says what it rests on', () => {
    expect(restsOn(point)).toBe('10 processes, 200 samples');
    expect(restsOn({ ...point, samples: 0, carried: true })).toMatch(/not timed/u);
  });
});
