import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { beforeEach, describe, expect, it } from 'vitest';

import type { RejectedOutcome, Trial } from '../../../src/model/tune/study.ts';
import { JournalLedger } from '../../../src/tune/study/journal-ledger.ts';
import { runWorker, type TrialTools, type WorkerOptions } from '../../../src/tune/study/run-worker.ts';
import { StudyClock } from '../../../src/tune/study/study-clock.ts';
import { StudyJournal } from '../../../src/tune/study/study-journal.ts';
import type { Proposal } from '../../../src/tune/study/trial-ledger.ts';

let ledger: JournalLedger;

beforeEach(async () => {
  const folder = join(await mkdtemp(join(tmpdir(), 'pawl-worker-')), 'study');
  ledger = new JournalLedger(StudyJournal.create(folder, new StudyClock(() => new Date())), []);
});

const REJECTED: RejectedOutcome = {
  status: 'rejected',
  gate: 'build',
  reason: 'build_failed',
  message: 'no',
};

function measured(time_ms: number) {
  const outcome = { status: 'measured', time_ms, median_ms: time_ms, samples: 10, processes: 1 } as const;
  return { outcome: { ...outcome, stopped_early: false }, details: { measure_s: 1 } };
}

/** Builds take a few turns of the event loop, and time is the variant's value. */
class Bench implements TrialTools<number> {
  building = 0;
  mostBuilding = 0;
  measuring = 0;
  mostMeasuring = 0;
  readonly measuredValues: number[] = [];

  async prepare({ variant }: Trial, signal: AbortSignal): ReturnType<TrialTools<number>['prepare']> {
    this.building += 1;
    this.mostBuilding = Math.max(this.mostBuilding, this.building);
    try {
      await sleep(2, undefined, { signal });
    } finally {
      this.building -= 1;
    }
    const value = Number(variant.A);
    if (value % 5 === 4) return { status: 'rejected', outcome: REJECTED, details: { build_s: 1 } };
    // Pairs of variants are the same program.
    return { status: 'ready', ready: value, details: { binary: `b${Math.floor(value / 2)}`, build_s: 1 } };
  }

  async measure(value: number): ReturnType<TrialTools<number>['measure']> {
    this.measuring += 1;
    this.mostMeasuring = Math.max(this.mostMeasuring, this.measuring);
    await sleep(1);
    this.measuring -= 1;
    this.measuredValues.push(value);
    return measured(1 + value);
  }
}

function options(count: number, tools: TrialTools<number>, more: Partial<WorkerOptions<number>> = {}) {
  const proposals: Proposal[] = Array.from({ length: count }, (_, value) => ({
    variant: { A: value },
    phase: 'search',
  }));
  return {
    ledger,
    source: { next: () => proposals.shift() },
    tools,
    worker: 'w',
    ahead: () => 4,
    mayPropose: () => true,
    mayMeasure: () => true,
    stop: new AbortController().signal,
    signal: new AbortController().signal,
    ...more,
  };
}

describe('a worker', () => {
  it('tells of every trial once, builds side by side and measures one at a time', async () => {
    const bench = new Bench();
    await runWorker(options(40, bench));
    const trials = await ledger.trials();
    expect(trials.map(({ number }) => number)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
    expect(trials.every(({ outcome }) => outcome !== undefined)).toBe(true);
    expect(bench.mostMeasuring).toBe(1);
    expect(bench.mostBuilding).toBeGreaterThan(1);
    expect(bench.mostBuilding).toBeLessThanOrEqual(4);
  });

  it('never measures the same program twice, and says whose outcome a trial has', async () => {
    const bench = new Bench();
    await runWorker(options(40, bench));
    const programs = bench.measuredValues.map((value) => Math.floor(value / 2));
    expect(new Set(programs).size).toBe(programs.length);
    const twins = (await ledger.trials()).filter(({ same_binary_as }) => same_binary_as !== undefined);
    expect(twins.length).toBeGreaterThan(5);
    for (const twin of twins) {
      const original = (await ledger.trials())[twin.same_binary_as! - 1]!;
      expect(twin.outcome).toEqual(original.outcome);
      expect(twin.binary).toBe(original.binary);
      expect(original.same_binary_as).toBeUndefined();
    }
  });

  it('proposes no more than it may, and leaves nothing of that under way', async () => {
    await runWorker(options(40, new Bench(), { mayPropose: (trials) => trials.length < 7 }));
    const trials = await ledger.trials();
    expect(trials).toHaveLength(7);
    expect(trials.every(({ outcome }) => outcome !== undefined)).toBe(true);
  });

  it('leaves what is under way to the next one when it is stopped', async () => {
    const stop = new AbortController();
    const bench = new Bench();
    await runWorker(
      options(40, bench, {
        stop: stop.signal,
        mayMeasure: () => {
          if (bench.measuredValues.length === 3) stop.abort();
          return bench.measuredValues.length < 3;
        },
      }),
    );
    const open = (await ledger.trials()).filter(({ outcome }) => outcome === undefined);
    expect(open.length).toBeGreaterThan(0);
    expect(bench.measuredValues).toHaveLength(3);
  });

  it('discards a measurement that was cut short', async () => {
    const aborter = new AbortController();
    const tools: TrialTools<number> = {
      prepare: () => Promise.resolve({ status: 'ready', ready: 1, details: {} }),
      measure: () => {
        aborter.abort();
        return Promise.resolve(measured(1));
      },
    };
    await runWorker(options(3, tools, { signal: aborter.signal }));
    expect((await ledger.trials()).every(({ outcome }) => outcome === undefined)).toBe(true);
  });

  it('ends with the error of a build that is nobody’s variant’s fault', async () => {
    const tools: TrialTools<number> = {
      prepare: () => Promise.reject(new Error('no compiler')),
      measure: () => Promise.resolve(measured(1)),
    };
    await expect(runWorker(options(3, tools))).rejects.toThrow('no compiler');
  });

  it('goes on past proposals that are in the study already', async () => {
    await ledger.propose({ variant: { A: 0 }, phase: 'default' }, 'other');
    await runWorker(options(3, new Bench()));
    expect((await ledger.trials()).map(({ variant }) => variant.A)).toEqual([0, 1, 2]);
  });
});
