import { expect, it } from 'vitest';

import { standings } from '../../src/judge/race/standings.ts';
import type { RaceCase, Racer } from '../../src/model/judge/race.ts';

function racer(kernel: string, rank?: [number, number], times?: number): Racer {
  return {
    kernel,
    state: rank === undefined ? 'wrong' : 'raced',
    processes: 5,
    ...(rank !== undefined && { rank }),
    ...(times !== undefined && { speedup: { estimate: times, low: times / 2, high: times * 2 } }),
  };
}

function raceCase(name: string, ...kernels: Racer[]): RaceCase {
  return { case: name, kernels, pairs: [] };
}

it('a kernel stands where every case leaves room for it, with the geometric mean of its speed-ups', () => {
  const found = standings([
    raceCase('small', racer('mine', [1, 1], 4), racer('twin', [2, 3], 1), racer('reference', [2, 3])),
    raceCase('large', racer('mine', [1, 2], 1), racer('twin', [1, 2], 1), racer('reference', [3, 3])),
  ]);
  expect(found).toEqual([
    { kernel: 'mine', rank: [1, 2], speedup: { estimate: 2, low: 1, high: 4 } },
    { kernel: 'twin', rank: [1, 3], speedup: { estimate: 1, low: 0.5, high: 2 } },
    { kernel: 'reference', rank: [2, 3] },
  ]);
});

it('a kernel that is wrong in one case has no place', () => {
  const found = standings([
    raceCase('small', racer('mine', [1, 1], 4), racer('reference', [2, 2])),
    raceCase('large', racer('reference', [1, 1]), racer('mine')),
  ]);
  expect(found).toEqual([{ kernel: 'reference', rank: [1, 2] }, { kernel: 'mine' }]);
});
