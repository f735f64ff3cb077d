import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { rankByIntervals } from '../../src/judge/race/rank-by-intervals.ts';
import { rankKernels, type JudgedPair } from '../../src/judge/race/rank-kernels.ts';

describe('ranks by intervals', () => {
  it('tell apart only what does not touch', () => {
    expect(
      rankByIntervals([
        { low: 3, high: 4 },
        { low: 1, high: 2 },
        { low: 2, high: 2.5 },
        { low: 0.1, high: 0.2 },
      ]),
    ).toEqual([
      [1, 1],
      [2, 3],
      [2, 3],
      [4, 4],
    ]);
    expect(rankByIntervals([])).toEqual([]);
  });

  it('are those of the pairs that they decide', () => {
    const interval = fc
      .tuple(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 8 }))
      .map(([low, width]) => ({ low, high: low + width }));
    fc.assert(
      fc.property(fc.array(interval, { maxLength: 12 }), (intervals) => {
        const names = intervals.map((_, at) => `k${at}`);
        const pairs = intervals.flatMap((one, a) =>
          intervals.slice(a + 1).map((other, rest): JudgedPair => ({
            baseline: names[a]!,
            candidate: names[a + 1 + rest]!,
            verdict: other.low > one.high ? 'improved' : other.high < one.low ? 'regressed' : 'undecided',
          })),
        );
        expect(rankByIntervals(intervals)).toEqual([...rankKernels(names, pairs).values()]);
      }),
    );
  });
});
