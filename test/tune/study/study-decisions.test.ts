import { describe, expect, it } from 'vitest';

import type { Confirmation } from '../../../src/model/tune/study-report.ts';
import type { Trial } from '../../../src/model/tune/study.ts';
import { conclude } from '../../../src/tune/study/conclude.ts';
import { finalists } from '../../../src/tune/study/finalists.ts';
import { lookAhead } from '../../../src/tune/study/look-ahead.ts';
import { StudyBudget } from '../../../src/tune/study/study-budget.ts';

function trial(number: number, time_ms: number | 'rejected' | 'open', more: Partial<Trial> = {}): Trial {
  const base = { number, variant: { A: number }, phase: number === 1 ? 'default' : 'search' } as const;
  if (time_ms === 'open') return { ...base, ...more };
  if (time_ms === 'rejected') {
    const outcome = { status: 'rejected', gate: 'run', reason: 'numerics', message: 'wrong' } as const;
    return { ...base, outcome, ...more };
  }
  const outcome = { status: 'measured', time_ms, median_ms: time_ms, samples: 20, processes: 1 } as const;
  return { ...base, outcome: { ...outcome, stopped_early: false }, measure_s: 1, build_s: 10, ...more };
}

function stoppedEarly(one: Trial): Trial {
  return one.outcome?.status === 'measured'
    ? { ...one, outcome: { ...one.outcome, stopped_early: true } }
    : one;
}

function confirmation(number: number, verdict: Confirmation['verdict'], speedup: number): Confirmation {
  return {
    trial: number,
    variant: { A: number },
    verdict,
    reason: 'because.',
    speedup,
    variant_ms: 10 / speedup,
    processes: [6, 6],
    device_s: 1,
  };
}

describe('finalists', () => {
  it('are the fastest that were measured to the end, faster than the default, each another program', () => {
    const trials = [
      trial(1, 10, { binary: 'd' }),
      trial(2, 5, { binary: 'x' }),
      trial(3, 6, { binary: 'x' }),
      stoppedEarly(trial(4, 4)),
      trial(5, 7),
      trial(6, 9.5, { binary: 'd' }),
      trial(7, 8),
      trial(8, 11),
    ];
    expect(finalists(trials, 3).map((one) => one.trial.number)).toEqual([2, 5, 7]);
    expect(finalists(trials, 9).map((one) => one.trial.number)).toEqual([2, 5, 7]);
    expect(finalists(trials, 0)).toEqual([]);
    expect(finalists([trial(1, 'rejected'), trial(2, 5)], 3)).toEqual([]);
  });
});

describe('a conclusion', () => {
  const options = { confirm: 3, improvement_pct: 5, isOver: true };
  const trials = [trial(1, 10), trial(2, 5), trial(3, 6)];

  it('crowns the finalist with the largest confirmed speed-up, not the fastest of the search', () => {
    const both = [confirmation(2, 'improved', 1.4), confirmation(3, 'improved', 1.6)];
    expect(conclude(trials, both, options)).toMatchObject({ result: 'improved', best: { trial: 3 } });
  });

  it('never crowns what a comparison did not call improved', () => {
    const kept = conclude(
      trials,
      [confirmation(2, 'maintained', 1.4), confirmation(3, 'regressed', 0.9)],
      options,
    );
    expect(kept).toMatchObject({ result: 'kept', best: { trial: 1 } });
    const open = conclude(trials, [confirmation(2, 'undecided', 2)], options);
    expect(open).toMatchObject({ result: 'undecided', best: { trial: 2 } });
  });

  it('says when there is nothing to compare with, nothing at all, or not all yet', () => {
    expect(conclude([trial(1, 'rejected'), trial(2, 5)], [], options)).toMatchObject({
      result: 'unconfirmed',
      best: { trial: 2 },
      reason: expect.stringContaining('wrong') as string,
    });
    expect(conclude([trial(1, 'rejected')], [], options)).toMatchObject({ result: 'none-valid' });
    expect(conclude(trials, [], { ...options, isOver: false })).toMatchObject({ result: 'unconfirmed' });
    expect(conclude(trials, [], { ...options, confirm: 0 })).toMatchObject({ result: 'unconfirmed' });
    expect(conclude([trial(1, 5), trial(2, 6)], [], options)).toMatchObject({ result: 'kept' });
  });
});

describe('a budget', () => {
  const settings = { confirm: 3, processes: 1, samples: 40 };
  const at = (elapsed_s: number, more: object, perHour?: number) =>
    new StudyBudget({ settings: { ...settings, ...more }, elapsed_s: () => elapsed_s, perHour });

  it('leaves time for the confirmation, more where processes take longer, never most of it', () => {
    const quick = [trial(1, 1, { measure_s: 0.1 })];
    const slow = [trial(1, 1, { measure_s: 100 })];
    expect(at(0, { budget_s: 600 }).searchUntil_s([])).toBeCloseTo(480);
    expect(at(0, { budget_s: 600 }).searchUntil_s(quick)).toBeGreaterThan(580);
    expect(at(0, { budget_s: 600 }).searchUntil_s(slow)).toBeCloseTo(360);
    expect(at(0, { budget_s: 600, confirm: 0 }).searchUntil_s(slow)).toBe(600);
    expect(at(595, { budget_s: 600 }).spentBy(quick)).toBe('time');
    expect(at(10, { budget_s: 600 }).mayMeasure(quick)).toBe(true);
  });

  it('in trials counts those under way', () => {
    const three = [trial(1, 1), trial(2, 'rejected'), trial(3, 'open')];
    expect(at(0, { trials: 3 }).mayPropose(three)).toBe(false);
    expect(at(0, { trials: 4 }).mayPropose(three)).toBe(true);
    expect(at(1e9, { trials: 4 }).mayMeasure(three)).toBe(true);
  });

  it('in money is time at a price, and the scarcer of the two ends it', () => {
    expect(at(0, { max_cost: 1, confirm: 0 }, 36).searchUntil_s([])).toBe(100);
    expect(at(101, { max_cost: 1, budget_s: 600, confirm: 0 }, 36).spentBy([])).toBe('cost');
    expect(at(101, { max_cost: 100, budget_s: 100, confirm: 0 }, 36).spentBy([])).toBe('time');
  });
});

describe('looking ahead', () => {
  it('keeps every builder busy at first, then as many as one measurement is long', () => {
    const measured = (build_s: number, measure_s: number) =>
      Array.from({ length: 6 }, (_, index) => trial(index + 1, 1, { build_s, measure_s }));
    expect(lookAhead([], 15)).toBe(17);
    expect(lookAhead(measured(10, 2), 15)).toBe(7);
    expect(lookAhead(measured(100, 1), 15)).toBe(17);
    expect(lookAhead(measured(0, 5), 15)).toBe(3);
  });

  it('has more under way where few of those built come to the device', () => {
    const came = Array.from({ length: 6 }, (_, index) => trial(index + 1, 1, { build_s: 4, measure_s: 2 }));
    const rejected = (count: number, more: Partial<Trial>) =>
      Array.from({ length: count }, (_, index) => trial(index + 7, 'rejected', more));
    expect(lookAhead(came, 15)).toBe(4);
    expect(lookAhead([...came, ...rejected(6, { build_s: 4 })], 15)).toBe(6);
    expect(lookAhead([...came, ...rejected(60, { build_s: 4 })], 15)).toBe(17);
    // What is rejected before building keeps nobody from the device.
    expect(lookAhead([...came, ...rejected(60, {})], 15)).toBe(4);
  });
});
