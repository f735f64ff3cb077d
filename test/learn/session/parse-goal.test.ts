import { describe, expect, it } from 'vitest';

import { parseGoal } from '../../../src/learn/session/parse-goal.ts';
import { PawlError } from '../../../src/model/pawl-error.ts';

describe('a goal', () => {
  it.each([
    ['1.2x on training_512', { kind: 'speedup', speedup: 1.2, case: 'training_512' }],
    ['1,5 × at small', { kind: 'speedup', speedup: 1.5, case: 'small' }],
    ['2X', { kind: 'speedup', speedup: 2 }],
    ['20%', { kind: 'speedup', speedup: 1.25 }],
    ['20 % faster on small', { kind: 'speedup', speedup: 1.25, case: 'small' }],
    ['50 % less time for small', { kind: 'speedup', speedup: 2, case: 'small' }],
  ])('%s is a speed-up', (text, goal) => {
    expect(parseGoal(text)).toEqual(goal);
  });

  it.each([
    ['≤ 44 µs on training_512', 0.044],
    ['<= 44us on training_512', 0.044],
    ['at most 1.5 ms on training_512', 1.5],
    ['under 800 ns on training_512', 0.0008],
    ['2 s on training_512', 2000],
  ])('%s is a time', (text, time_ms) => {
    const goal = parseGoal(text);
    expect(goal).toMatchObject({ kind: 'time', case: 'training_512' });
    expect(goal.kind === 'time' && goal.time_ms).toBeCloseTo(time_ms, 12);
  });

  it.each(['0.5x on small', '1x on small'])('"%s" is refused: it asks for nothing faster', (text) => {
    expect(() => parseGoal(text)).toThrow(/asks for nothing faster/);
  });

  it.each([
    '',
    'faster',
    '0x on small',
    '120 % on small',
    '-2x',
    '44 parsecs on small',
    '1.2x on',
    'x on small',
  ])('"%s" is refused with examples', (text) => {
    expect(() => parseGoal(text)).toThrow(PawlError);
  });
});
