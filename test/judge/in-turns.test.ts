import { describe, expect, it } from 'vitest';

import { inTurns } from '../../src/judge/in-turns.ts';
import type { Series } from '../../src/model/measure/samples.ts';

function at(...seconds: readonly number[]): Series[] {
  return seconds.map((second, index) => ({
    process: index + 1,
    samples_ms: [1],
    started_at: new Date(1e12 + 1000 * second).toISOString(),
  }));
}

describe('inTurns', () => {
  it.each([
    { one: [1, 3], other: [2, 4], because: 'one after the other' },
    { one: [1, 4], other: [2, 3], because: 'there and back' },
    { one: [1, 3], other: [2, 2.5], because: 'where a middle is the first of the other side' },
    { one: [1, 3], other: [1.5, 2], because: 'where a middle is the last of the other side' },
    { one: [1, 4, 5, 8], other: [2, 3, 6, 7], because: 'in an order drawn for each round' },
  ])('is true $because', ({ one, other }) => {
    expect(inTurns(at(...one), at(...other))).toBe(true);
    expect(inTurns(at(...other), at(...one))).toBe(true);
  });

  it.each([
    { one: [1, 2, 3], other: [4, 5, 6], because: 'one side was all before the other' },
    { one: [1, 9], other: [6, 7], because: 'the middle of one side is before all of the other' },
    { one: [1, 2, 3, 6], other: [5, 7, 8, 9], because: 'they hardly overlap' },
    { one: [1], other: [2], because: 'one process has no turns' },
  ])('is false where $because', ({ one, other }) => {
    expect(inTurns(at(...one), at(...other))).toBe(false);
    expect(inTurns(at(...other), at(...one))).toBe(false);
  });

  it('is false where a file does not say when', () => {
    const silent = [
      { process: 1, samples_ms: [1] },
      { process: 2, samples_ms: [1] },
    ];
    expect(inTurns(silent, at(1, 3))).toBe(false);
    expect(inTurns(at(1, 3), silent)).toBe(false);
    expect(inTurns([...at(1, 3), ...silent], at(1, 3))).toBe(false);
  });
});
