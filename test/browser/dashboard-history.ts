/** A made-up project's history in a real store, with what each page of the dashboard is for: known before, so that tests can ask for it. */
import { createHash } from 'node:crypto';

import { compareSamples } from '../../src/judge/compare-measurements.ts';
import type { History } from '../../src/history/history.ts';
import { CHECK_SCHEMA, type CheckReport } from '../../src/model/reports/check-report.ts';
import { PROFILE_SCHEMA, type ProfileReport } from '../../src/model/profile/profile-report.ts';
import {
  SAMPLES_SCHEMA,
  type Measurement,
  type Samples,
  type Series,
} from '../../src/model/measure/samples.ts';
import { RUN_SCHEMA, type CommitFacts } from '../../src/model/history/stored-run.ts';
import type { Trial } from '../../src/model/tune/study.ts';
import { renderProfilePicture } from '../../src/report/svg/profile-picture.tsx';
import { Xoshiro128 } from '../../src/stats/index.ts';
import { compiled, hot } from '../profile/lines/planted-lines.ts';
import { diagnosisOf } from '../../src/profile/diagnosis-of.ts';
import { comparedPage, launchOf, pageOf } from '../report/profile-pages.ts';
import { madeSessions } from './dashboard-sessions.ts';

const COMMITS = 60;
/** The last ones are checks, with verdicts; those before are benches. */
const FIRST_CHECK = 57;
const HOUR_MS = 3_600_000;

interface Made {
  readonly kernel: string;
  readonly case: string;
  readonly level_ms: (at: number) => number;
  readonly noise: number;
}

/** Attention's long case gets slower by an eighth at commit 40; softmax faster by a fifth at 25; reduce creeps. */
const CASES: readonly Made[] = [
  { kernel: 'attention', case: 'long', level_ms: (at) => (at < 40 ? 1.24 : 1.395), noise: 0.004 },
  { kernel: 'attention', case: 'small', level_ms: () => 0.0531, noise: 0.004 },
  { kernel: 'softmax', case: 'rows', level_ms: (at) => (at < 25 ? 0.412 : 0.33), noise: 0.006 },
  {
    kernel: 'reduce',
    case: 'wide',
    level_ms: (at) => 0.0872 * (1 + 0.0022 * Math.max(0, at - 10)),
    noise: 0.004,
  },
  { kernel: 'reduce', case: '<script>alert(1)</script>', level_ms: () => 0.0204, noise: 0.3 },
  { kernel: 'reduce', case: 'last', level_ms: (at) => (at < COMMITS - 1 ? 0.61 : 0.7), noise: 0.003 },
];

/** Of attention's long case. */
const WORK = {
  operations: 2.75e11,
  bytes: 5.4e8,
  floor: {
    floor_ms: 0.278,
    limit: 'operations' as const,
    basis: '275 GOP at 989 TOP/s',
    peaks: { bytes_per_s: 4.8e12, operations_per_s: 9.89e14 },
  },
  ceiling: {
    ceiling_ms: 0.35,
    limit: 'operations' as const,
    basis: '540 MB at 4.1 TB/s, 275 GOP at 786 TOP/s',
    bytes_per_s: 4.1e12,
    operations_per_s: 7.86e14,
  },
};

export function shaOf(at: number): string {
  return createHash('sha1').update(`commit ${at}`).digest('hex');
}

export class MadeHistory {
  readonly #random = new Xoshiro128(7n);
  readonly #end_ms: number;
  /** Of what was stored, for addresses. */
  profiles: readonly string[] = [];

  /** The last commit was made an hour before `end`. */
  constructor(end: Date) {
    this.#end_ms = end.getTime();
  }

  timeOf(at: number): Date {
    return new Date(this.#end_ms - (COMMITS - at) * 9 * HOUR_MS);
  }

  async fill(history: History): Promise<void> {
    for (let at = 0; at < COMMITS; at++) {
      const commits = [this.#commit(at), ...(at === 0 ? [] : [this.#commit(at - 1)])];
      const started_at = new Date(this.timeOf(at).getTime() + 600_000).toISOString();
      const finished_at = new Date(this.timeOf(at).getTime() + 840_000).toISOString();
      const common = { schema: RUN_SCHEMA, started_at, finished_at, branch: 'main', device_s: 212 } as const;
      const head = this.#samples(at, at);
      if (at < FIRST_CHECK) await history.put({ ...common, kind: 'bench', sides: { head } }, { commits });
      else {
        const [base, control] = [this.#samples(at, at - 1), this.#samples(at, at - 1)];
        const report = checkReport(base, head, control, at);
        await history.put(
          { ...common, kind: 'check', pull_request: 100 + at, sides: { head, base, control }, report },
          { commits },
        );
      }
    }
    for (const session of madeSessions().all) await history.putSession(session);
    this.profiles = [
      await this.#profile(history, 20, 'copy_ok'),
      await this.#profile(history, 45, 'bank_conflict_transpose'),
    ];
    await this.#study(history);
  }

  #commit(at: number): CommitFacts {
    return {
      sha: shaOf(at),
      ...(at === 0 ? {} : { parent: shaOf(at - 1) }),
      time: this.timeOf(at).toISOString(),
      subject: at === 40 ? 'Load the keys in two steps' : `Change number ${at}`,
      author: at % 2 === 0 ? 'Bob' : 'Ada',
    };
  }

  #samples(at: number, commit: number): Samples {
    return {
      schema: SAMPLES_SCHEMA,
      device: { kind: 'cuda', name: 'NVIDIA H200', driver: '580.65', cuda_runtime: '13.0' },
      environment: {
        host: 'bench-1',
        pawl: '0.1.0',
        started_at: this.timeOf(at).toISOString(),
        clocks: { policy: 'as-is' },
      },
      measurements: CASES.map((one) => this.#measurement(one, at, commit)),
    };
  }

  #measurement({ kernel, case: name, level_ms, noise }: Made, at: number, commit: number): Measurement {
    return {
      ...workOf(kernel),
      kernel,
      case: name,
      variant: {},
      mode: 'cold',
      commit: shaOf(commit),
      check: { passed: true, oracle: 'reference', tensors: [], tampering: [] },
      ...(name === 'long' ? WORK : {}),
      series: Array.from({ length: 6 }, (_, process) => this.#series(level_ms(commit), noise, at, process)),
    };
  }

  #series(level_ms: number, noise: number, at: number, process: number): Series {
    const own = level_ms * (1 + noise * (this.#random.nextOpen() - 0.5));
    const start_ms = this.timeOf(at).getTime() + process * 20_000;
    return {
      process: process + 1,
      samples_ms: Array.from({ length: 24 }, () => {
        const slow = this.#random.nextOpen() < 0.03 ? 0.1 : 0.015 * this.#random.nextOpen();
        return Math.round(own * (1 + slow) * 1e6) / 1e6;
      }),
      started_at: new Date(start_ms).toISOString(),
      warmup_cost_ms: 400,
      sampling_cost_ms: 9000,
      stopped_by: 'settled',
      state_before: { temperature_c: 38 + 2 * process, sm_clock_mhz: 1980, power_w: 130 + 9 * process },
      state_after: {
        temperature_c: 41 + 2 * process,
        sm_clock_mhz: process === 5 ? 1935 : 1980,
        power_w: 410 + 5 * process,
      },
    };
  }

  async #profile(history: History, at: number, name: string): Promise<string> {
    const page = at === 20 ? pageOf(name) : comparedPage('copy_ok', name);
    const report: ProfileReport = {
      schema: PROFILE_SCHEMA,
      kernel: 'attention',
      case: 'long',
      variant: {},
      mode: 'cold',
      head: {
        commit: shaOf(at),
        device: { name: 'NVIDIA H200' },
        profiler: { name: 'ncu', version: '2025.4', command: ['ncu'], set: 'full' },
        started_at: this.timeOf(at).toISOString(),
        seconds: 30,
        launches: 1,
        files: {},
        hot_lines: [hot(at === 20 ? 'mended' : 'faulty', 'header-row-sum')],
        diagnosis: diagnosisOf({ launches: [launchOf(name)], problems: [] }),
        notes: [],
      },
      ...(at === 20 ? { static_lines: [compiled()] } : { comparisons: [page.comparison!] }),
      summary:
        at === 20
          ? 'Bound by memory, and close to its ceiling.'
          : 'Slower, because threads wait for each other at the banks of shared memory.',
      seconds: 40,
      device_s: 22,
    };
    const { id } = await history.putProfile(report, { 'profile.svg': renderProfilePicture(page) });
    return id;
  }

  async #study(history: History): Promise<void> {
    const trials = Array.from({ length: 90 }, (_, index) => this.#trial(index + 1));
    const started_at = this.timeOf(50).toISOString();
    await history.putStudy(
      {
        id: 'attention-1',
        kernel: 'attention',
        started_at,
        finished_at: this.timeOf(51).toISOString(),
        document: {
          schema: 'pawl.study/1',
          result: 'improved',
          reason: 'Trial 61 is 1.38 times as fast as the default, confirmed in fresh processes.',
          default_ms: 1.395,
          best: { trial: 61, variant: {}, time_ms: 1.011 },
          case: 'long',
          operations: 2.75e11,
          bytes: 1e9,
          device: { kind: 'cuda', name: 'NVIDIA H200' },
          importance: {
            method: 'functional ANOVA',
            trials: 60,
            explained: 0.91,
            parameters: [
              { name: 'BLOCK_M', share: 0.58 },
              { name: 'STAGES', share: 0.24 },
              { name: 'SWIZZLE', share: 0.07 },
            ],
          },
          confirmations: [
            {
              trial: 61,
              verdict: 'improved',
              reason: 'Faster in all blocks.',
              speedup: 1.38,
              speedup_ci: [1.36, 1.4],
            },
          ],
        },
      },
      trials,
    );
    await history.putStudy(
      { id: 'softmax-2', kernel: 'softmax', started_at: this.timeOf(59).toISOString(), document: {} },
      trials.slice(0, 12),
    );
  }

  #trial(number: number): Trial {
    const pick = <Value>(values: readonly Value[]): Value =>
      values[Math.floor(this.#random.nextOpen() * values.length)]!;
    const variant = {
      BLOCK_M: pick([32, 64, 128, 256]),
      STAGES: pick([1, 2, 3, 4]),
      SWIZZLE: pick([true, false]),
      LAYOUT: pick(['row', 'column']),
    };
    const phase = number === 1 ? 'default' : number < 20 ? 'start' : 'search';
    if (number % 4 === 0) {
      const reason = variant.BLOCK_M === 256 ? 'smem_overflow' : 'register_spill';
      return {
        number,
        variant,
        phase,
        outcome: {
          status: 'rejected',
          gate: 'static',
          reason,
          message: 'a block needs 262144 bytes of shared memory, and the device gives 232448',
        },
      };
    }
    // A lucky time that nothing confirms: no picture may be squashed by it, and no headline may repeat it.
    const luck = number === 62 ? 0.25 : 1;
    const time_ms =
      luck *
      (1 +
        0.4 * Math.abs(Math.log2(variant.BLOCK_M) - 7) +
        0.15 * Math.abs(variant.STAGES - 3) +
        0.05 * this.#random.nextOpen());
    return {
      number,
      variant,
      phase,
      resources: { registers: 96 + 16 * variant.STAGES },
      outcome: {
        status: 'measured',
        time_ms,
        median_ms: time_ms,
        samples: 40,
        processes: 1,
        stopped_early: time_ms > 1.8,
      },
    };
  }
}

function checkReport(base: Samples, head: Samples, control: Samples, at: number): CheckReport {
  const comparison = compareSamples(base, head);
  return {
    schema: CHECK_SCHEMA,
    verdict: comparison.verdict,
    comparison,
    control: compareSamples(base, control),
    waived: [],
    advanced: [],
    new_cases: [],
    baseline: { path: 'pawl-baseline.json' },
    notes: [],
    commit: shaOf(at),
    base_commit: shaOf(at - 1),
    files: {},
  };
}

/** Attention alone declares what it does. */
function workOf(kernel: string): Pick<Measurement, 'operations' | 'bytes' | 'floor'> {
  if (kernel !== 'attention') return {};
  return { operations: 3e10, bytes: 1e8, floor: { floor_ms: 0.04, limit: 'operations', basis: 'made up' } };
}
