import { describe, expect, it } from 'vitest';

import { compareSamples } from '../../src/judge/compare-measurements.ts';
import { JUDGE_DEFAULTS, type JudgePolicy } from '../../src/judge/judge-policy.ts';
import { judgementPlan } from '../../src/judge/judgement-plan.ts';
import {
  decideAtLook,
  policyAtLook,
  SequentialJudge,
  sequentialPlan,
  type Look,
  type SequentialPlan,
} from '../../src/judge/sequential.ts';
import type { Measurement, Samples } from '../../src/model/measure/samples.ts';
import { normalQuantile } from '../../src/stats/normal.ts';
import { Xoshiro128, type Random } from '../../src/stats/random.ts';
import { measurementOf, samplesOf } from './samples-of.ts';

type Level = (random: Random) => number;

const normal =
  (mean_ms: number, sd: number): Level =>
  (random) =>
    mean_ms * (1 + sd * normalQuantile(random.nextOpen()));
const lognormal =
  (mean_ms: number, sd: number): Level =>
  (random) =>
    mean_ms * Math.exp(sd * normalQuantile(random.nextOpen()));

/** Processes of one sample each: what a process says, and nothing else. */
function levels(draws: readonly number[], name = 'a'): Measurement {
  return {
    case: name,
    series: draws.map((level_ms, index) => ({ process: index + 1, samples_ms: [level_ms] })),
  };
}

/** Takes processes until the judge is content; the verdict, and processes per side. */
function runSequentially(
  random: Random,
  [base, head]: readonly [Level, Level],
  policy: JudgePolicy,
  plan: SequentialPlan,
): { readonly verdict: string; readonly processes: number } {
  const judge = new SequentialJudge(policy, plan);
  const drawn: [number[], number[]] = [[], []];
  for (;;) {
    drawn[0].push(base(random));
    drawn[1].push(head(random));
    const processes = drawn[0].length;
    if (!judge.isDue(processes)) continue;
    const { comparison } = judge.look({
      base: samplesOf(levels(drawn[0])),
      head: samplesOf(levels(drawn[1])),
    });
    const stop = decideAtLook(comparison, { plan, looks: judge.looks, budgetSpent: false });
    if (stop !== undefined) return { verdict: comparison.verdict, processes };
  }
}

const RUNS = 2000;

function share(
  plan: SequentialPlan,
  policy: JudgePolicy,
  sides: readonly [Level, Level],
  verdict: string,
  runs = RUNS,
): number {
  const random = new Xoshiro128(20);
  let count = 0;
  for (let run = 0; run < runs; run++) {
    if (runSequentially(random, sides, policy, plan).verdict === verdict) count += 1;
  }
  return count / runs;
}

describe('sequentialPlan', () => {
  it('looks ever more rarely, and last at the most processes', () => {
    expect(sequentialPlan({ maxProcesses: 24 }).looks).toEqual([6, 8, 12, 16, 24]);
    expect(sequentialPlan({ maxProcesses: 40 }).looks).toEqual([6, 8, 12, 16, 24, 32, 40]);
    expect(sequentialPlan({ maxProcesses: 3 }).looks).toEqual([3]);
  });

  it('leaves out a look that the last one would add little to', () => {
    expect(sequentialPlan({ maxProcesses: 9 }).looks).toEqual([6, 9]);
  });

  it.each([1, 5, 6, 10, 24, 100, 1000])('spends no more than there is with %i processes', (maxProcesses) => {
    const { looks, shares } = sequentialPlan({ maxProcesses });
    expect(shares).toHaveLength(looks.length);
    expect(shares.reduce((sum, one) => sum + one, 0)).toBeCloseTo(1, 12);
    expect([...looks].sort((a, b) => a - b)).toEqual([...new Set(looks)]);
    expect(looks.at(-1)).toBe(maxProcesses);
  });

  it('refuses a plan without processes', () => {
    expect(() => sequentialPlan({ maxProcesses: 0 })).toThrow(/--processes must be at least 1/);
  });
});

describe('policyAtLook', () => {
  it('gives each look its share of both error rates and changes nothing else', () => {
    const plan = sequentialPlan({ maxProcesses: 24 });
    expect(policyAtLook(JUDGE_DEFAULTS, plan, 4)).toEqual({
      ...JUDGE_DEFAULTS,
      falseAlarm: expect.closeTo(0.001, 12),
      miss: expect.closeTo(0.002, 12),
    });
    expect(() => policyAtLook(JUDGE_DEFAULTS, plan, 5)).toThrow(RangeError);
  });
});

describe('a slowdown between nothing and the threshold', () => {
  const plan = sequentialPlan({ maxProcesses: 24, settlesSlowdowns: true });
  const hasty = sequentialPlan({ maxProcesses: 24 });
  const slower = (by: number) => [normal(1, 0.01), normal(by, 0.01)] as const;

  it('is measured on until it is shown to be below', () => {
    const passed = share(plan, JUDGE_DEFAULTS, slower(1.015), 'maintained');
    expect(passed).toBeGreaterThan(0.9);
    expect(passed).toBeGreaterThan(share(hasty, JUDGE_DEFAULTS, slower(1.015), 'maintained') + 0.1);
  });

  // The bound of a miss, and four standard errors of a share of 2,000 runs.
  it('is not missed more often for it where it reaches the threshold', () => {
    expect(share(plan, JUDGE_DEFAULTS, slower(1.03), 'maintained')).toBeLessThan(0.01 + 4 * 0.0023);
    expect(share(plan, JUDGE_DEFAULTS, slower(1.03), 'regressed')).toBeGreaterThan(0.98);
  });
});

describe('looking often', () => {
  const plan = sequentialPlan({ maxProcesses: 32 });
  /** Rates that 2,000 runs can tell from others; noise that keeps many runs undecided for several looks. */
  const policy = { ...JUDGE_DEFAULTS, falseAlarm: 0.05, miss: 0.05 };
  const NOISE = 0.04;

  it.each([
    ['normal', normal],
    ['lognormal', lognormal],
  ] as const)('calls unchanged code regressed no more often than stated, %s processes', (_, level) => {
    const unchanged = [level(1, NOISE), level(1, NOISE)] as const;
    expect(share(plan, policy, unchanged, 'regressed')).toBeLessThanOrEqual(0.05);
  });

  it.each([
    ['normal', normal],
    ['lognormal', lognormal],
  ] as const)('calls 3 % slower code maintained no more often than stated, %s processes', (_, level) => {
    const slower = [level(1, NOISE), level(1.03, NOISE)] as const;
    expect(share(plan, policy, slower, 'maintained')).toBeLessThanOrEqual(0.05);
  });

  it('would break the stated rate if each look had it all', () => {
    const greedy = { ...plan, shares: plan.looks.map(() => 1) };
    const unchanged = [normal(1, NOISE), normal(1, NOISE)] as const;
    expect(share(greedy, policy, unchanged, 'regressed')).toBeGreaterThan(0.05);
  });

  it('finds a clear change at about the first look', () => {
    const random = new Xoshiro128(7);
    const runs = Array.from({ length: RUNS }, () =>
      runSequentially(random, [normal(1, 0.005), normal(1.05, 0.005)], JUDGE_DEFAULTS, plan),
    );
    const processes = runs.reduce((sum, run) => sum + run.processes, 0) / RUNS;
    expect(runs.every(({ verdict }) => verdict === 'regressed')).toBe(true);
    expect(processes).toBeLessThan(6.5);
  });
});

describe('SequentialJudge', () => {
  const plan = sequentialPlan({ maxProcesses: 12 });
  const clear = (level_ms: number, seed: number): Measurement =>
    measurementOf({ level_ms, processes: 6, seed }, { case: 'clear' });
  const noisy = (seed: number): Measurement =>
    measurementOf({ level_ms: 1, processes: 6, between: 0.06, seed }, { case: 'noisy' });
  const sides = (): { base: Samples; head: Samples } => ({
    base: samplesOf(clear(1, 1), noisy(2)),
    head: samplesOf(clear(1.1, 3), noisy(4)),
  });
  const verdicts = ({ comparison }: Look): string[] => comparison.cases.map(({ verdict }) => verdict);

  it('drops a decided case and keeps its verdict, whatever later looks would say', () => {
    const judge = new SequentialJudge(JUDGE_DEFAULTS, plan);
    const first = judge.look(sides());
    expect(verdicts(first)).toEqual(['regressed', 'undecided']);
    expect(judge.isOpen({ case: 'clear' })).toBe(false);
    expect(judge.isOpen({ case: 'noisy' })).toBe(true);
    const later = judge.look({ ...sides(), head: samplesOf(clear(1, 5), noisy(4)) });
    expect(verdicts(later)).toEqual(['regressed', 'undecided']);
    expect(later.comparison.cases[0]).toEqual(first.comparison.cases[0]);
    expect(later.comparison.verdict).toBe('regressed');
  });

  it('drops none under Benjamini and Hochberg’s correction', () => {
    const judge = new SequentialJudge({ ...JUDGE_DEFAULTS, correction: 'bh' }, plan);
    expect(verdicts(judge.look(sides()))).toEqual(['regressed', 'undecided']);
    expect(judge.isOpen({ case: 'clear' })).toBe(true);
  });

  it('leaves undecided what ended after so few processes that their spread would be a guess', () => {
    const two = (level_ms: number, seed: number): Samples =>
      samplesOf(measurementOf({ level_ms, processes: 2, seed }));
    const early = new SequentialJudge(JUDGE_DEFAULTS, plan).look({ base: two(1, 1), head: two(9, 2) });
    expect(early.comparison).toMatchObject({ verdict: 'undecided', cases: [{ noise: 'assumed' }] });
    expect(early.comparison.cases[0]!.reason).toContain('2 processes of the baseline and 2 of the candidate');
    const asked = new SequentialJudge(JUDGE_DEFAULTS, sequentialPlan({ maxProcesses: 2 }));
    expect(verdicts(asked.look({ base: two(1, 1), head: two(9, 2) }))).toEqual(['regressed']);
  });

  it('goes on while a gain is in sight but not clear, and ends with maintained if it stays so', () => {
    const faster = measurementOf({ level_ms: 0.94, processes: 6, between: 0.03, seed: 8 }, { case: 'noisy' });
    const slower = measurementOf({ level_ms: 1, processes: 6, between: 0.03, seed: 9 }, { case: 'noisy' });
    const judge = new SequentialJudge(JUDGE_DEFAULTS, plan);
    const look = judge.look({ base: samplesOf(slower), head: samplesOf(faster) });
    expect(verdicts(look)).toEqual(['maintained']);
    expect(judge.isOpen({ case: 'noisy' })).toBe(true);
    const soFar = { plan, looks: judge.looks, budgetSpent: false };
    expect(decideAtLook(look.comparison, soFar)).toBeUndefined();
    expect(decideAtLook(look.comparison, { ...soFar, looks: plan.looks.length })).toBe('max-processes');
  });

  it('states the rates of all looks together, and reads intervals at those of one', () => {
    const { comparison } = new SequentialJudge(JUDGE_DEFAULTS, plan).look(sides());
    expect(comparison.error_rates).toEqual({ false_alarm: 0.005, miss: 0.01 });
    const atOnce = compareSamples(sides().base, sides().head).cases[0]!;
    const inLooks = comparison.cases[0]!;
    if (atOnce.state !== 'estimated' || inLooks.state !== 'estimated') throw new Error('not estimated');
    expect(inLooks.ci_pct[0]).toBeLessThan(atOnce.ci_pct[0]);
  });

  it('does not take a control for steady because its difference is below the threshold', () => {
    const look = new SequentialJudge(JUDGE_DEFAULTS, plan).look({
      base: samplesOf(clear(1, 1)),
      control: samplesOf(clear(1.025, 2)),
      head: samplesOf(clear(1.1, 3)),
    });
    expect(look.control!.verdict).toBe('regressed');
    expect(look.comparison.verdict).toBe('undecided');
  });

  it('takes a verdict back where the same binary differs from itself, and says by how much', () => {
    const judge = new SequentialJudge(JUDGE_DEFAULTS, plan);
    const look = judge.look({
      base: samplesOf(clear(1, 1)),
      control: samplesOf(clear(1.08, 2)),
      head: samplesOf(clear(1.1, 3)),
    });
    expect(look.control!.verdict).toBe('regressed');
    expect(look.comparison).toMatchObject({ verdict: 'undecided', cases: [{ verdict: 'undecided' }] });
    expect(look.comparison.cases[0]!.reason).toMatch(
      /^the device was not steady: the same binary differed from itself by [78]\.\d %/,
    );
    expect(judge.isOpen({ case: 'clear' })).toBe(true);
  });

  it('leaves verdicts alone where the control is like the base', () => {
    const look = new SequentialJudge(JUDGE_DEFAULTS, plan).look({
      base: samplesOf(clear(1, 1)),
      control: samplesOf(clear(1, 2)),
      head: samplesOf(clear(1.1, 3)),
    });
    expect(look.control!.verdict).toBe('maintained');
    expect(look.comparison.verdict).toBe('regressed');
  });

  it('keeps the control of a decided case with it', () => {
    const judge = new SequentialJudge(JUDGE_DEFAULTS, plan);
    const look = (seed: number) =>
      judge.look({
        base: samplesOf(clear(1, 1)),
        control: samplesOf(clear(1, seed)),
        head: samplesOf(clear(1.1, 3)),
      });
    const first = look(2);
    expect(look(7).control!.cases).toEqual(first.control!.cases);
  });

  it('does not take back a case that was not estimated, nor one whose control was not', () => {
    const bare = (samples: Samples): Samples => ({
      ...samples,
      measurements: samples.measurements.map((one) => ({ ...one, series: [] })),
    });
    const look = (control: Samples, head: Samples) =>
      new SequentialJudge(JUDGE_DEFAULTS, plan).look({ base: samplesOf(clear(1, 1)), control, head });
    const unsteady = samplesOf(clear(0.9, 2));
    expect(look(unsteady, samplesOf(clear(1.1, 3))).comparison.verdict).toBe('undecided');
    expect(look(bare(unsteady), samplesOf(clear(1.1, 3))).comparison.verdict).toBe('regressed');
    expect(look(unsteady, bare(samplesOf(clear(1.1, 3)))).comparison.cases[0]!.reason).not.toContain(
      'steady',
    );
  });

  it('waits for a gain only where both the level and the median are nearer to it than to nothing', () => {
    const { comparison } = new SequentialJudge(JUDGE_DEFAULTS, plan).look(sides());
    const [row] = comparison.cases;
    if (row?.state !== 'estimated') throw new Error('not estimated');
    const stop = (change_pct: number, median_pct: number, rest: Partial<typeof row> = {}) => {
      const median = { ...row.median, change_pct: median_pct };
      const one = { ...row, verdict: 'maintained' as const, change_pct, median, ...rest };
      return decideAtLook({ ...comparison, cases: [one] }, { plan, looks: 1, budgetSpent: false });
    };
    // The threshold is 5 %.
    expect(stop(2.6, 2.6)).toBeUndefined();
    expect(stop(2.4, 2.6)).toBe('decided');
    expect(stop(2.6, 2.4)).toBe('decided');
    expect(stop(2.6, 2.6, { verdict: 'regressed' })).toBe('decided');
    const cycles = { change_pct: 0, ci_pct: [0, 0] as [number, number], clock_change: true };
    expect(stop(2.6, 2.6, { cycles })).toBe('decided');
    expect(stop(2.6, 2.6, { cycles: { ...cycles, clock_change: false } })).toBeUndefined();
  });

  it('stops when all is decided, when the looks are used up, and when time is', () => {
    const judge = new SequentialJudge(JUDGE_DEFAULTS, plan);
    const { comparison } = judge.look(sides());
    const decided = { ...comparison, cases: comparison.cases.slice(0, 1) };
    expect(decideAtLook(decided, { plan, looks: 1, budgetSpent: false })).toBe('decided');
    expect(decideAtLook(comparison, { plan, looks: 1, budgetSpent: false })).toBeUndefined();
    expect(decideAtLook(comparison, { plan, looks: 1, budgetSpent: true })).toBe('budget');
    expect(decideAtLook(comparison, { plan, looks: plan.looks.length, budgetSpent: false })).toBe(
      'max-processes',
    );
  });
});

describe('a look that may only find an unchanged speed', () => {
  const plan = judgementPlan(24);
  const quiet = normal(1, 0.001);
  const run = (sides: readonly [Level, Level], seed = 20) =>
    runSequentially(new Xoshiro128(seed), sides, JUDGE_DEFAULTS, plan);

  it('ends the judgement of a quiet kernel that did not change after three processes per side', () => {
    expect(run([quiet, quiet])).toEqual({ verdict: 'maintained', processes: 3 });
  });

  it('leaves gains and slowdowns to the look after six', () => {
    expect(run([quiet, normal(0.8, 0.001)])).toEqual({ verdict: 'improved', processes: 6 });
    expect(run([quiet, normal(1.2, 0.001)])).toEqual({ verdict: 'regressed', processes: 6 });
  });

  it('does not end where more processes might call it a change', () => {
    const processes = [1.018, 0.972].map((level) => run([quiet, normal(level, 0.001)]).processes);
    expect(Math.min(...processes)).toBeGreaterThanOrEqual(6);
  });

  it('finds no gain where processes are fast or slow by the toss of a coin', () => {
    const coin: Level = (random) => (random.nextOpen() < 0.5 ? 1 : 1.1) * quiet(random);
    expect(share(plan, JUDGE_DEFAULTS, [coin, coin], 'improved', 400)).toBeLessThanOrEqual(0.005);
  });

  it('is passed over where time is up, so that what was measured has its verdict', () => {
    const judge = new SequentialJudge(JUDGE_DEFAULTS, plan);
    const sides = (head: readonly number[]) => ({
      base: samplesOf(levels([1, 1.001, 0.999])),
      head: samplesOf(levels(head)),
    });
    expect(judge.isDue(2)).toBe(true);
    judge.look(sides([0.5, 0.5, 0.5]));
    const { comparison } = judge.look(sides([0.5, 0.501, 0.499]), { isLast: true });
    expect(comparison.verdict).toBe('improved');
    expect(judge.looks).toBe(3);
  });
});
