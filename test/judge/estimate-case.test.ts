import { describe, expect, it } from 'vitest';

import { estimateCase } from '../../src/judge/estimate-case.ts';
import type { Locations, ProcessSummary } from '../../src/judge/process-summary.ts';

/** Three processes whose fastest tenths spread by `fastest` to each side, and whose medians by `median`. */
function processes(level: number, fastest: number, median: number, cycles?: Locations): ProcessSummary[] {
  return [-1, 0, 1].map((side) => ({
    time: { fastest: level + side * fastest, median: level + side * median, tail: undefined },
    cycles,
  }));
}

describe('the level of a case', () => {
  it.each([
    ['fastest-tenth', 0.01, 0.01],
    ['fastest-tenth', 0.01, 0.0051],
    ['median', 0.01, 0.0049],
  ] as const)('is its %s where that spreads by %f and the median by %f', (level, fastest, median) => {
    expect(estimateCase(processes(0, fastest, median), processes(0, fastest, median)).level).toBe(level);
  });

  it('is the median where a process of either side has no fastest tenth', () => {
    const full = processes(0, 0.01, 0.01);
    const short = full.map((one) => ({ ...one, time: { ...one.time, fastest: undefined } }));
    expect(estimateCase(full, full).level).toBe('fastest-tenth');
    expect(estimateCase(short, full).level).toBe('median');
    expect(estimateCase(full, short).level).toBe('median');
  });
});

describe('the cycles of a case', () => {
  const of = (fastest: number, median: number): Locations => ({ fastest, median, tail: undefined });

  it('are those of the level, and of the median beside it', () => {
    const before = processes(0, 0.01, 0.01, of(0, 0));
    const after = processes(0, 0.01, 0.01, of(0.1, 0.2));
    const { cycles } = estimateCase(before, after);
    expect(cycles!.shift.difference).toBeCloseTo(0.1, 12);
    expect(cycles!.median.difference).toBeCloseTo(0.2, 12);
    const steady = estimateCase(processes(0, 0.01, 0.001, of(0, 0)), processes(0, 0.01, 0.001, of(0.1, 0.2)));
    expect(steady.cycles!.shift.difference).toBeCloseTo(0.2, 12);
  });

  it('are not known where one side does not say its clocks', () => {
    const [known, silent] = [processes(0, 0.01, 0.01, of(0, 0)), processes(0, 0.01, 0.01)];
    expect(estimateCase(known, silent).cycles).toBeUndefined();
    expect(estimateCase(silent, known).cycles).toBeUndefined();
  });
});
