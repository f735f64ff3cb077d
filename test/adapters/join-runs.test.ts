import { describe, expect, it } from 'vitest';

import { conclusionLimits } from '../../src/adapters/conclusion-limits.ts';
import { joinRuns, type Run } from '../../src/adapters/join-runs.ts';
import { compareSamples } from '../../src/judge/compare-measurements.ts';
import type { Measurement } from '../../src/model/measure/samples.ts';
import { readFixture } from './fixture.ts';

const NAMES = ['BM_Sum/1000', 'BM_Copy/1000'];

function run(name: string, level_ms = 1, rest: Partial<Measurement> = {}): Run {
  const measurements = NAMES.map((each) => {
    const [kernel, shape] = each.split('/') as [string, string];
    const series = [{ process: 1, samples_ms: [level_ms, level_ms * 1.01] }];
    return Object.assign({ kernel, case: shape, series }, rest);
  });
  return { name, readings: [{ measurements, notes: [] }] };
}

describe('joinRuns', () => {
  it('makes processes of one measurement out of several runs', () => {
    const { samples, processes } = joinRuns([run('a'), run('b'), run('c')], {});
    expect(samples.measurements).toHaveLength(2);
    expect(samples.measurements[0]!.series.map(({ process }) => process)).toEqual([1, 2, 3]);
    expect(processes).toEqual([[1], [2], [3]]);
  });

  it('numbers processes from the one it is told, and after those that a run counts itself', () => {
    const hyperfine = { name: 'h', readings: [readFixture('hyperfine/two-commands.json')] };
    const { samples, processes } = joinRuns([hyperfine, hyperfine], { process: 5 });
    expect(processes[0]).toEqual([5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);
    expect(processes[1]![0]).toBe(17);
    expect(new Set(samples.measurements[0]!.series.map(({ process }) => process)).size).toBe(24);
  });

  it('gives a comparison that replication decides, and that one run a side does not', () => {
    const levels = [1, 1.001, 0.999, 1.002, 0.998, 1.0005];
    const side = (factor: number, count: number) =>
      joinRuns(
        levels.slice(0, count).map((level, at) => run(`run ${at}`, factor * level)),
        {},
      ).samples;
    expect(compareSamples(side(1, 6), side(1.1, 6)).verdict).toBe('regressed');
    expect(compareSamples(side(1, 1), side(1.1, 1)).verdict).toBe('undecided');
  });

  it('takes kernel and case out of names, and says which do not match', () => {
    const { samples, unmatched } = joinRuns([run('a')], { caseFrom: /^BM_(?<kernel>Sum)\/(?<case>.*)$/u });
    expect(samples.measurements.map((one) => `${one.kernel} ${one.case}`)).toEqual([
      'Sum 1000',
      'BM_Copy 1000',
    ]);
    expect(unmatched).toEqual(['BM_Copy/1000']);
  });

  it('refuses to make one measurement out of two benchmarks', () => {
    expect(() => joinRuns([run('a')], { kernel: 'k' })).toThrow(/would become one measurement/u);
  });

  it('refuses runs of different devices, drivers, commits or builds in one file', () => {
    const device = (name: string, driver?: string) => ({
      device: driver === undefined ? { name } : { name, driver },
    });
    const join = (one: Partial<Measurement>, other: Partial<Measurement>) =>
      joinRuns([run('a', 1, one), run('b', 1, other)], {});
    expect(() => join(device('A100'), device('H200'))).toThrow(/different device/u);
    expect(() => join(device('A100', '1'), device('A100', '2'))).toThrow(/different device or driver/u);
    expect(() => join({ commit: 'a' }, { commit: 'b' })).toThrow(/different commit/u);
    expect(join({ commit: 'a' }, {}).samples.measurements[0]!.commit).toBe('a');
  });

  it('names the device where the file does not, and refuses to rename it', () => {
    expect(joinRuns([run('a')], { device: 'H200' }).samples.device).toEqual({ name: 'H200' });
    const known = run('a', 1, { device: { name: 'A100' } });
    expect(() => joinRuns([known], { device: 'H200' })).toThrow(/but the file says A100/u);
  });

  it('takes a hundred thousand processes, and refuses numbers that are no count', () => {
    const series = (process: number) => ({ process, samples_ms: [1] });
    const many = run('a', 1, { series: Array.from({ length: 200_000 }, (_, at) => series(at + 1)) });
    const { samples } = joinRuns([many], {});
    expect(samples.measurements[0]!.series).toHaveLength(200_000);
    expect(conclusionLimits(samples).join(' ')).not.toContain('fewer than 3 processes');
    const huge = run('b', 1, { series: [series(Number.MAX_SAFE_INTEGER)] });
    expect(() => joinRuns([huge, huge], {})).toThrow(/process number that is too large/u);
  });

  it('keeps a wrong result wrong, whatever later runs say', () => {
    const check = (passed: boolean) => ({ check: { passed, oracle: 'x', tensors: [], tampering: [] } });
    const { samples } = joinRuns([run('a', 1, check(false)), run('b', 1, check(true))], {});
    expect(samples.measurements[0]!.check?.passed).toBe(false);
  });
});

describe('conclusionLimits', () => {
  it('is silent about processes only when there are enough of them', () => {
    const limits = (count: number) =>
      conclusionLimits(
        joinRuns(
          Array.from({ length: count }, (_, at) => run(`${at}`)),
          {},
        ).samples,
      ).join('\n');
    expect(limits(1)).toContain('fewer than 3 processes');
    expect(limits(3)).not.toContain('fewer than 3 processes');
  });

  it('says that summaries will be undecided', () => {
    const { samples } = joinRuns(
      [{ name: 'k', readings: [readFixture('kernelbench/eval_results.json')] }],
      {},
    );
    expect(conclusionLimits(samples)[0]).toMatch(/^2 of 4 measurements without samples/u);
  });
});
