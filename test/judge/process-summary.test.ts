import { describe, expect, it } from 'vitest';

import { locations, summarizeProcesses } from '../../src/judge/process-summary.ts';

function counting(count: number): number[] {
  return Array.from({ length: count }, (_, index) => count - index);
}

describe('locations', () => {
  it('takes the mean of the fastest tenth, whole samples and parts of one', () => {
    expect(Math.exp(locations(counting(100)).fastest!)).toBeCloseTo(5.5, 12);
    expect(Math.exp(locations(counting(10)).fastest!)).toBeCloseTo(1, 12);
    // One sample and half of the second: (1 + 0.5 · 2) / 1.5.
    expect(Math.exp(locations(counting(15)).fastest!)).toBeCloseTo(4 / 3, 12);
  });

  it('leaves out what too few samples cannot say', () => {
    expect(locations(counting(9))).toMatchObject({ fastest: undefined, tail: undefined });
    expect(locations(counting(19)).tail).toBeUndefined();
    expect(Math.exp(locations(counting(20)).tail!)).toBeCloseTo(19.05, 12);
    expect(Math.exp(locations(counting(21)).tail!)).toBeCloseTo(20, 12);
  });
});

describe('summarizeProcesses', () => {
  it('joins the series of one process and keeps nameless ones apart', () => {
    const series = [
      { process: 1, samples_ms: [1, 1] },
      { process: 1, samples_ms: [3, 3] },
      { samples_ms: [5] },
      { samples_ms: [5] },
    ];
    const medians = summarizeProcesses(series).map(({ time }) => Math.exp(time.median));
    expect(medians).toHaveLength(3);
    expect(medians[0]).toBeCloseTo(2, 12);
  });

  it('counts no cycles of a process of which one series lacks its clocks', () => {
    const [both] = summarizeProcesses([
      { process: 1, samples_ms: [2], clock_mhz: [1000] },
      { process: 1, samples_ms: [2] },
    ]);
    expect(both!.cycles).toBeUndefined();
  });

  it('counts cycles only where every sample has its clock', () => {
    const [known, unknown] = summarizeProcesses([
      { samples_ms: [2, 2], clock_mhz: [1000, 2000] },
      { samples_ms: [2, 2], clock_mhz: [1000] },
    ]);
    expect(Math.exp(known!.cycles!.median)).toBeCloseTo(3000, 9);
    expect(unknown!.cycles).toBeUndefined();
  });
});
