import { describe, expect, it } from 'vitest';

import { compareSamples } from '../../src/judge/compare-measurements.ts';
import { JUDGE_DEFAULTS, TELL_APART } from '../../src/judge/judge-policy.ts';
import type { CaseComparison } from '../../src/model/judge/comparison.ts';
import { comparisonSchema } from '../../src/model/judge/comparison.ts';
import { PawlError } from '../../src/model/pawl-error.ts';
import type { Measurement, Samples, Series } from '../../src/model/measure/samples.ts';
import { measurementOf, samplesOf, seriesOf } from './samples-of.ts';

const TEN = { processes: 10, level_ms: 1 };
const BLIND = {
  passed: true,
  oracle: 'oracle.cpp',
  tensors: [],
  tampering: [],
  blind: [{ answer: 'zeros', tensor: 'y', max_abs_err: 4e-4, atol: 1.2e-7, rtol: 1e-3 }],
};
const FAILED = { passed: false, oracle: 'numpy', tensors: [], tampering: [] };

type Estimated = Extract<CaseComparison, { state: 'estimated' }>;

function onlyCase(baseline: Measurement, candidate: Measurement, policy = JUDGE_DEFAULTS): Estimated {
  const comparison = comparisonSchema.parse(
    JSON.parse(JSON.stringify(compareSamples(samplesOf(baseline), samplesOf(candidate), policy))),
  );
  const only = comparison.cases[0]!;
  expect(comparison.cases).toHaveLength(1);
  expect(comparison.verdict).toBe(only.verdict);
  if (only.state !== 'estimated') throw new Error(`not estimated: ${only.reason}`);
  return only;
}

function withClock(series: readonly Series[], clock_mhz: number): Series[] {
  return series.map((one) => ({ ...one, clock_mhz: one.samples_ms.map(() => clock_mhz) }));
}

function timedAs(series: readonly Series[], timing: 'blocked' | 'plain'): Series[] {
  return series.map((one) => ({ ...one, timing }));
}

function startedAt(series: readonly Series[], second: (process: number) => number): Series[] {
  return series.map((one, index) => ({
    ...one,
    started_at: new Date(1e12 + 1000 * second(index)).toISOString(),
  }));
}

describe('compareSamples', () => {
  it('calls no side slower for the launches that only its times contain', () => {
    const timed = (timing: 'blocked' | 'plain', level_ms: number, seed: number): Measurement =>
      measurementOf({ ...TEN, seed }, { series: timedAs(seriesOf({ ...TEN, level_ms, seed }), timing) });
    const without = timed('blocked', 0.007, 1);
    const within = timed('plain', 0.08, 2);
    for (const [before, after, side] of [
      [without, within, 'candidate'],
      [within, without, 'baseline'],
    ] as const) {
      const { verdict, reason, needs } = onlyCase(before, after);
      expect(verdict).toBe('undecided');
      expect(reason).toContain(`only the times of the ${side} contain the launch`);
      expect(needs).toBeUndefined();
    }
    // What is faster with its launches is faster without them.
    expect(onlyCase(without, timed('plain', 0.005, 3)).verdict).toBe('improved');
    expect(onlyCase(timed('plain', 0.005, 4), without).verdict).toBe('regressed');
    expect(onlyCase(within, timed('plain', 0.1, 5)).verdict).toBe('regressed');
  });

  it('calls a change slower that puts the launch into the times, where both were measured in turns', () => {
    const timed = (timing: 'blocked' | 'plain', level_ms: number, seed: number): Measurement =>
      measurementOf(
        { ...TEN, seed },
        { series: startedAt(timedAs(seriesOf({ ...TEN, level_ms, seed }), timing), (at) => 2 * at + seed) },
      );
    const [without, within] = [timed('blocked', 0.007, 1), timed('plain', 0.08, 2)];
    const { verdict, reason } = onlyCase(without, within);
    expect(verdict).toBe('regressed');
    expect(reason).toContain('only the times of the candidate contain the launch');
    expect(reason).toContain('the change put it there');
    // Which of two kernels is faster stays open, and so does whether a change that takes it out is a gain.
    expect(onlyCase(without, within, { ...JUDGE_DEFAULTS, ...TELL_APART }).verdict).toBe('undecided');
    expect(onlyCase(within, without).verdict).toBe('undecided');
  });

  it('decides nothing that a blind tolerance let pass, be it faster, new or the same', () => {
    const base = measurementOf({ ...TEN, seed: 1 });
    const blind = measurementOf({ ...TEN, level_ms: 0.5, seed: 2 }, { check: BLIND });
    for (const before of [samplesOf(base), samplesOf()]) {
      const { verdict, cases } = compareSamples(before, samplesOf(blind));
      expect(verdict).toBe('undecided');
      expect(cases[0]).toMatchObject({ state: 'not-estimated', blind: BLIND.blind });
      expect(cases[0]?.reason).toBe(
        "the tolerance is blind: zeros would pass as 'y', so its time does not count. " +
          'Write a tighter tolerance for the problem in pawl.yaml: tolerance: { atol: 1.2e-7, rtol: 1e-3 }',
      );
    }
    // Two records of one build are one measurement: a check that sees does not make up for one that does not.
    const sees = measurementOf({ ...TEN, seed: 3 }, { check: { ...BLIND, blind: [] } });
    for (const both of [samplesOf(blind, sees), samplesOf(sees, blind)]) {
      expect(compareSamples(samplesOf(base), both).verdict).toBe('undecided');
    }
    // Whatever let the baseline pass, it can only be too fast.
    const { verdict } = compareSamples(samplesOf(blind), samplesOf(base));
    expect(verdict).toBe('regressed');
  });

  it('calls a wrong result wrong, whatever its tolerance', () => {
    const wrong = measurementOf({ ...TEN, seed: 2 }, { check: { ...BLIND, passed: false } });
    expect(compareSamples(samplesOf(), samplesOf(wrong)).verdict).toBe('incorrect');
  });

  it('names the hosts of a case whose sides were measured on different ones', () => {
    const on = (host: string, own?: string): Samples => ({
      ...samplesOf({ ...measurementOf({ ...TEN, seed: 1 }), ...(own === undefined ? {} : { host: own }) }),
      environment: { host },
    });
    const hosts = (before: Samples, after: Samples) => compareSamples(before, after).cases[0]!.hosts;
    expect(hosts(on('gpu1'), on('gpu2'))).toEqual({ baseline: 'gpu1', candidate: 'gpu2' });
    expect(hosts(on('gpu2', 'gpu1'), on('gpu2'))).toEqual({ baseline: 'gpu1', candidate: 'gpu2' });
    expect(hosts(on('gpu1'), on('gpu1'))).toBeUndefined();
  });

  it('calls unchanged code maintained', () => {
    const result = onlyCase(measurementOf({ ...TEN, seed: 1 }), measurementOf({ ...TEN, seed: 2 }));
    expect(result.verdict).toBe('maintained');
    expect(result.ci_pct[0]).toBeGreaterThan(-3);
    expect(result.reason).toContain('a slowdown of 3 % is excluded');
  });

  it('calls 4 % slower code regressed, with a negative change', () => {
    const slower = measurementOf({ ...TEN, level_ms: 1.04, seed: 2 });
    const result = onlyCase(measurementOf({ ...TEN, seed: 1 }), slower);
    expect(result.verdict).toBe('regressed');
    expect(result.change_pct).toBeCloseTo(-4, 0);
    expect(result.ci_pct[1]).toBeLessThan(0);
    expect(result.cliffs_delta).toBe(-1);
    expect(result.speedup).toBeLessThan(1);
    expect(result.ci_overlap).toBe(false);
    expect(result.processes).toEqual([10, 10]);
  });

  it('judges a case by a threshold of its own, and says which; the others by the common one', () => {
    const side = (level_ms: number, seed: number): Samples =>
      samplesOf(
        measurementOf({ ...TEN, level_ms, seed }, { kernel: 'k', case: 'noisy' }),
        measurementOf({ ...TEN, level_ms, seed: seed + 9 }, { kernel: 'k', case: 'quiet' }),
      );
    const policy = { ...JUDGE_DEFAULTS, caseRegressionPct: { 'k/noisy': 8, 'k/gone': 50 } };
    const comparison = comparisonSchema.parse(compareSamples(side(1, 1), side(1.05, 2), policy));
    expect(comparison.cases.map((one) => [one.case, one.verdict, one.threshold_pct])).toEqual([
      ['noisy', 'maintained', 8],
      ['quiet', 'regressed', undefined],
    ]);
    expect(comparison.cases[0]!.reason).toContain('less than the threshold of 8 %');
    expect(comparison.thresholds.regression_pct).toBe(3);
  });

  it('calls 6 % faster code improved, with a positive change', () => {
    const faster = measurementOf({ ...TEN, level_ms: 0.94, seed: 2 });
    const result = onlyCase(measurementOf({ ...TEN, seed: 1 }), faster);
    expect(result.verdict).toBe('improved');
    expect(result.ci_pct[0]).toBeGreaterThan(0);
    expect(result.cliffs_delta).toBe(1);
  });

  it('keeps change, speed-up and the two times consistent', () => {
    const slower = measurementOf({ ...TEN, level_ms: 1.02, seed: 2 });
    const { baseline_ms, candidate_ms, ...result } = onlyCase(measurementOf({ ...TEN, seed: 1 }), slower);
    expect(result.speedup).toBeCloseTo(baseline_ms / candidate_ms, 12);
    expect(result.change_pct).toBeCloseTo((100 * (baseline_ms - candidate_ms)) / baseline_ms, 9);
  });

  it('says what would decide it where processes differ too much', () => {
    const noisy = { processes: 6, between: 0.05 };
    const costs = (one: Measurement): Measurement => ({
      ...one,
      series: one.series.map((each) => ({ ...each, sampling_cost_ms: 500, warmup_cost_ms: 500 })),
    });
    const result = onlyCase(
      costs(measurementOf({ ...noisy, level_ms: 1, seed: 1 })),
      costs(measurementOf({ ...noisy, level_ms: 1, seed: 2 })),
    );
    expect(result.verdict).toBe('undecided');
    expect(result.needs!.processes).toBeGreaterThan(10);
    expect(result.needs!.seconds).toBeCloseTo(2 * result.needs!.processes, 9);
    expect(result.reason).toMatch(
      new RegExp(
        `about ${result.needs!.processes} more processes per side \\(about [^()]+\\) would decide it`,
        'u',
      ),
    );
  });

  it('does not decide from one process per side, and says how little it proves', () => {
    const one = { processes: 1, within: 0.001 };
    const slower = measurementOf({ ...one, level_ms: 1.2, seed: 2 });
    const result = onlyCase(measurementOf({ ...one, level_ms: 1, seed: 1 }), slower);
    expect(result).toMatchObject({ verdict: 'undecided', noise: 'assumed', needs: { processes: 4 } });
    expect(result.reason).toContain('one process on a side proves little');
  });

  it('does believe one process per side that takes three times as long', () => {
    const slower = measurementOf({ processes: 1, level_ms: 3, seed: 2 });
    const result = onlyCase(measurementOf({ processes: 1, level_ms: 1, seed: 1 }), slower);
    expect(result.verdict).toBe('regressed');
    expect(result.reason).toContain('one process on a side proves little');
  });

  it('counts series of one process once', () => {
    const shared = measurementOf({ ...TEN, seed: 2 });
    const series = shared.series.map((one) => ({ ...one, process: 1 }));
    const result = onlyCase(measurementOf({ ...TEN, seed: 1 }), { ...shared, series });
    expect(result.processes).toEqual([10, 1]);
    expect(result.noise).toBe('assumed');
  });

  it('is not moved by one process in a bad mood', () => {
    const candidate = measurementOf({ ...TEN, seed: 2 });
    const series = candidate.series.map((one, index) =>
      index === 0 ? { ...one, samples_ms: one.samples_ms.map((time) => 1.5 * time) } : one,
    );
    const result = onlyCase(measurementOf({ ...TEN, seed: 1 }), { ...candidate, series });
    expect(result.verdict).toBe('maintained');
  });

  it('calls a change of the clock alone a clock change, not a regression', () => {
    const before = withClock(seriesOf({ ...TEN, seed: 1 }), 1980);
    const after = withClock(seriesOf({ ...TEN, level_ms: 1.1, seed: 2 }), 1800);
    const result = onlyCase({ case: 'a', series: before }, { case: 'a', series: after });
    expect(result.verdict).toBe('maintained');
    expect(result.cycles).toMatchObject({ clock_change: true });
    expect(result.change_pct).toBeLessThan(-8);
    expect(result.reason).toContain('clock change');
  });

  it('calls a slower clock a slower kernel where the sides were measured in turns, and says what cycles say', () => {
    const [before, after] = [
      withClock(seriesOf({ ...TEN, seed: 1 }), 1980),
      withClock(seriesOf({ ...TEN, level_ms: 1.1, seed: 2 }), 1800),
    ];
    const taken = onlyCase(
      { case: 'a', series: startedAt(before, (n) => 2 * n) },
      { case: 'a', series: startedAt(after, (n) => 2 * n + 1) },
    );
    expect(taken).toMatchObject({ verdict: 'regressed', cycles: { clock_change: false } });
    expect(taken.reason).toMatch(/in cycles it is .*its clock is 9\.\d % lower than .* more power/);
    const apart = onlyCase(
      { case: 'a', series: startedAt(before, (n) => n) },
      { case: 'a', series: startedAt(after, (n) => 100 + n) },
    );
    expect(apart).toMatchObject({ verdict: 'maintained', cycles: { clock_change: true } });
  });

  it('says of fewer cycles in the same time that the clock gave them back', () => {
    const before = startedAt(withClock(seriesOf({ ...TEN, seed: 1 }), 1980), (n) => 2 * n);
    const after = startedAt(withClock(seriesOf({ ...TEN, seed: 2 }), 1780), (n) => 2 * n + 1);
    const result = onlyCase({ case: 'a', series: before }, { case: 'a', series: after });
    expect(result.verdict).toBe('maintained');
    expect(result.reason).toMatch(/in cycles it is 10\S* % faster .*: its clock is 10\S* % lower/);
  });

  it('calls a slowdown at the same clock regressed', () => {
    const before = withClock(seriesOf({ ...TEN, seed: 1 }), 1980);
    const after = withClock(seriesOf({ ...TEN, level_ms: 1.1, seed: 2 }), 1980);
    const result = onlyCase({ case: 'a', series: before }, { case: 'a', series: after });
    expect(result).toMatchObject({ verdict: 'regressed', cycles: { clock_change: false } });
  });

  it('does not make a regression of more cycles in the same time', () => {
    const before = withClock(seriesOf({ ...TEN, seed: 1 }), 1800);
    const after = withClock(seriesOf({ ...TEN, seed: 2 }), 1980);
    const result = onlyCase({ case: 'a', series: before }, { case: 'a', series: after });
    expect(result.verdict).toBe('maintained');
    expect(result.cycles!.change_pct).toBeLessThan(-8);
  });

  it('warns of a tail that moved while the verdict stays', () => {
    const candidate = measurementOf({ ...TEN, seed: 2 });
    const series = candidate.series.map((one) => ({
      ...one,
      samples_ms: one.samples_ms.map((time, index) => (index % 10 === 0 ? 1.3 * time : time)),
    }));
    const result = onlyCase(measurementOf({ ...TEN, seed: 1 }), { ...candidate, series });
    expect(result).toMatchObject({ verdict: 'maintained', tail: { moved: true } });
    expect(result.reason).toContain('the slowest samples (95 % quantile) are');
  });

  it('does not overlook a slower median behind unchanged fastest samples', () => {
    const candidate = measurementOf({ ...TEN, seed: 2 });
    const series = candidate.series.map((one) => ({
      ...one,
      samples_ms: one.samples_ms.map((time, index) => (index % 4 === 0 ? time : 1.1 * time)),
    }));
    const result = onlyCase(measurementOf({ ...TEN, seed: 1 }), { ...candidate, series });
    expect(result.verdict).toBe('regressed');
    expect(result.change_pct).toBeGreaterThan(-3);
    expect(result.median.change_pct).toBeLessThan(-5);
    expect(result.reason).toContain('the median sample is');
  });

  it('does not call improved what only the fastest samples gained', () => {
    const candidate = measurementOf({ ...TEN, seed: 2 });
    const series = candidate.series.map((one) => ({
      ...one,
      samples_ms: one.samples_ms.map((time, index) => (index % 5 === 0 ? 0.9 * time : time)),
    }));
    const result = onlyCase(measurementOf({ ...TEN, seed: 1 }), { ...candidate, series });
    expect(result.change_pct).toBeGreaterThan(5);
    expect(result.verdict).toBe('maintained');
  });

  it('takes the median as the level of series too short for a fastest tenth', () => {
    const short = { ...TEN, samples: 9, within: 0.002 };
    const result = onlyCase(measurementOf({ ...short, seed: 1 }), measurementOf({ ...short, seed: 2 }));
    expect(result).toMatchObject({ level: 'median', verdict: 'maintained' });
    expect(result.tail).toBeUndefined();
  });

  it('takes the median as the level where the fastest samples are erratic', () => {
    const erratic = (seed: number): Measurement => {
      const one = measurementOf({ ...TEN, between: 0.001, seed });
      const series = one.series.map((each, process) => ({
        ...each,
        samples_ms: each.samples_ms.map((time, index) => (index < 3 * process ? 0.8 * time : time)),
      }));
      return { ...one, series };
    };
    expect(onlyCase(erratic(1), erratic(2)).level).toBe('median');
  });

  it('decides exactly where nothing varies', () => {
    const constant = (time: number): Measurement => ({
      case: 'a',
      series: Array.from({ length: 5 }, () => ({ samples_ms: [time, time, time] })),
    });
    expect(onlyCase(constant(1), constant(1)).verdict).toBe('maintained');
    expect(onlyCase(constant(1), constant(1.03)).verdict).toBe('regressed');
    expect(onlyCase(constant(1), constant(1.0299)).verdict).toBe('maintained');
    expect(onlyCase(constant(1), constant(0.96)).verdict).toBe('improved');
  });

  it('passes a slowdown that is shown to be below the threshold, and says its size', () => {
    const constant = (time: number): Measurement => ({
      case: 'a',
      series: Array.from({ length: 10 }, (_, index) => ({ samples_ms: [time * (1 + 0.002 * (index % 3))] })),
    });
    const { verdict, reason } = onlyCase(constant(1), constant(1.019));
    expect(verdict).toBe('maintained');
    expect(reason).toMatch(
      /^1\.9 % slower \(.*\): slower, but less than the threshold of 3 %, so it passes/u,
    );
    const apart = { ...JUDGE_DEFAULTS, question: 'tell-apart' } as const;
    expect(onlyCase(constant(1), constant(1.019), apart).verdict).toBe('regressed');
  });

  it('uses the threshold it is given', () => {
    const slower = measurementOf({ ...TEN, level_ms: 1.04, seed: 2 });
    const lenient = { ...JUDGE_DEFAULTS, regressionPct: 10 };
    expect(onlyCase(measurementOf({ ...TEN, seed: 1 }), slower, lenient).verdict).toBe('maintained');
    expect(() => onlyCase(slower, slower, { ...JUDGE_DEFAULTS, regressionPct: 0 })).toThrow(PawlError);
  });
});

describe('compareSamples, case by case', () => {
  const before = measurementOf({ ...TEN, seed: 1 });
  const same = measurementOf({ ...TEN, seed: 2 });
  const slower = measurementOf({ ...TEN, level_ms: 1.06, seed: 3 });
  const faster = measurementOf({ ...TEN, level_ms: 0.9, seed: 4 });
  const named = (name: string, one: Measurement): Measurement => ({ ...one, case: name });

  function verdicts(baseline: Samples, candidate: Samples): string[] {
    const { verdict, cases } = compareSamples(baseline, candidate);
    return [verdict, ...cases.map((one) => one.verdict)];
  }

  it('takes the worst of the cases as the verdict of all', () => {
    const baseline = samplesOf(named('a', before), named('b', before));
    expect(verdicts(baseline, samplesOf(named('a', same), named('b', slower)))).toEqual([
      'regressed',
      'maintained',
      'regressed',
    ]);
    expect(verdicts(baseline, samplesOf(named('a', same), named('b', faster)))[0]).toBe('improved');
    const wrong = { ...named('a', same), check: FAILED };
    expect(verdicts(baseline, samplesOf(wrong, named('b', slower)))).toEqual([
      'incorrect',
      'incorrect',
      'regressed',
    ]);
  });

  it('calls a case new that the baseline lacks, or has only with a wrong result', () => {
    const candidate = samplesOf(named('a', same));
    expect(verdicts(samplesOf(), candidate)).toEqual(['new', 'new']);
    expect(verdicts(samplesOf({ ...named('a', before), check: FAILED }), candidate)[1]).toBe('new');
    expect(verdicts(samplesOf({ ...named('a', before), series: [] }), candidate)[1]).toBe('new');
  });

  it('does not decide about a candidate whose series were all lost, and says why', () => {
    const lost = [{ process: 1, reason: 'crashed', message: 'the runner was killed' }];
    const [only] = compareSamples(samplesOf(before), samplesOf({ ...same, series: [], lost })).cases;
    expect(only).toMatchObject({ verdict: 'undecided', state: 'not-estimated' });
    expect(only!.reason).toContain('the runner was killed');
  });

  it('calls a candidate incorrect of which a detector spoiled one timed series, whatever the rest says', () => {
    const lost = [{ process: 3, reason: 'timed-result-wrong', message: '4 of 9 elements of y differ' }];
    const seen = samplesOf({ ...faster, kernel: 'k', lost });
    for (const base of [samplesOf(before), samplesOf()]) {
      const [only] = compareSamples(base, seen).cases;
      expect(only).toMatchObject({
        verdict: 'incorrect',
        state: 'not-estimated',
        fault: { detector: 'timed-result-wrong', during: 'timing', message: '4 of 9 elements of y differ' },
      });
    }
  });

  it('does not decide against a baseline that was caught cheating, and says so', () => {
    const lost = [{ process: 2, reason: 'cached-result', message: 'repeated contents are faster' }];
    const [only] = compareSamples(samplesOf({ ...before, lost }), samplesOf(same)).cases;
    expect(only).toMatchObject({ verdict: 'undecided', state: 'not-estimated' });
    expect(only!.reason).toMatch(/the baseline cheats .* cached-result: repeated contents are faster/);
  });

  it('calls a candidate incorrect that could not be checked, because it crashed, in whatever words', () => {
    const messages = [
      'SIGSEGV',
      'in the correctness check: SIGSEGV',
      'during the correctness check: SIGSEGV',
    ];
    for (const message of messages) {
      const lost = [{ process: 1, reason: 'crashed', during: 'check' as const, message }];
      const [only] = compareSamples(samplesOf(before), samplesOf({ ...same, series: [], lost })).cases;
      expect(only).toMatchObject({ verdict: 'incorrect', fault: { detector: 'crashed', during: 'check' } });
    }
  });

  it('reads a file of an earlier version, which says in words that it was the check', () => {
    const lost = [{ process: 1, reason: 'crashed', message: 'in the correctness check: SIGSEGV' }];
    const [only] = compareSamples(samplesOf(before), samplesOf({ ...same, series: [], lost })).cases;
    expect(only).toMatchObject({ verdict: 'incorrect', fault: { detector: 'crashed', during: 'check' } });
  });

  it('does not decide where the candidate was right and crashed when it was timed, in whatever words', () => {
    for (const message of ['SIGSEGV', 'in the correctness check: SIGSEGV']) {
      const lost = [{ process: 1, reason: 'crashed', during: 'timing' as const, message }];
      const [only] = compareSamples(samplesOf(before), samplesOf({ ...same, series: [], lost })).cases;
      expect(only).toMatchObject({ verdict: 'undecided' });
      expect(only!.reason).toBe(`the candidate has no series of this case: ${message}.`);
    }
  });

  it('lists what only the baseline has', () => {
    const { missing } = compareSamples(samplesOf(before, named('b', before)), samplesOf(same));
    expect(missing.map((one) => one.case)).toEqual(['b']);
  });

  it('refuses a candidate without measurements', () => {
    expect(() => compareSamples(samplesOf(before), samplesOf())).toThrow(/has no measurements/);
  });

  it('refuses to compare devices or drivers silently', () => {
    const on = (name: string, driver: string): Samples => ({
      ...samplesOf(same),
      device: { name, driver },
    });
    expect(() => compareSamples(on('NVIDIA H200', '580'), on('NVIDIA H100', '580'))).toThrow(/H100/);
    expect(() => compareSamples(on('NVIDIA H200', '580'), on('NVIDIA H200', '575'))).toThrow(
      /driver 580, .* 575/,
    );
    const allowed = { ...JUDGE_DEFAULTS, allowDeviceMismatch: true };
    const comparison = compareSamples(on('NVIDIA H200', '580'), on('NVIDIA H100', '580'), allowed);
    expect(comparison.device_mismatch).toContain('NVIDIA H100');
  });

  it('demands more of each of many cases than of one', () => {
    const noisy = { processes: 8, between: 0.015 };
    const baseline = Array.from({ length: 40 }, (_, seed) =>
      measurementOf({ ...noisy, level_ms: 1, seed: 2 * seed }, { case: `c${seed}` }),
    );
    const candidate = Array.from({ length: 40 }, (_, seed) =>
      measurementOf({ ...noisy, level_ms: seed < 8 ? 1.05 : 1, seed: 2 * seed + 1 }, { case: `c${seed}` }),
    );
    const regressed = (correction: 'holm' | 'bh' | 'none'): number =>
      compareSamples(samplesOf(...baseline), samplesOf(...candidate), {
        ...JUDGE_DEFAULTS,
        correction,
      }).cases.filter(({ verdict }) => verdict === 'regressed').length;
    expect(regressed('holm')).toBeLessThan(regressed('none'));
    expect(regressed('bh')).toBeGreaterThanOrEqual(regressed('holm'));
    expect(regressed('bh')).toBeLessThanOrEqual(regressed('none'));
  });
});
