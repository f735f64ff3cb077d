import { CHECK_SCHEMA } from '../../src/model/reports/check-report.ts';
import type { CheckReport } from '../../src/model/reports/check-report.ts';
import {
  SAMPLES_SCHEMA,
  type Clocks,
  type Measurement,
  type Samples,
} from '../../src/model/measure/samples.ts';
import { RUN_SCHEMA, type CommitFacts, type StoredRun } from '../../src/model/history/stored-run.ts';
import { Xoshiro128 } from '../../src/stats/index.ts';
import type { Variant } from '../../src/model/problem/variant.ts';
import type { Verdict } from '../../src/model/judge/verdict.ts';

export interface RunOf {
  /** Number of the commit: its place in time, and what is drawn for it. */
  readonly at: number;
  readonly cases?: readonly string[];
  readonly level_ms?: number;
  readonly processes?: number;
  readonly samples?: number;
  readonly dirty?: boolean;
  readonly verdict?: Verdict;
  readonly host?: string;
  readonly driver?: string;
  readonly device?: string;
  readonly branch?: string;
  readonly clocks?: Clocks;
  readonly compiler?: string;
  readonly variant?: Variant;
  readonly isRequested?: boolean;
  readonly waived?: boolean;
}

const FIRST_MS = Date.UTC(2026, 0, 1);
const HOUR_MS = 3_600_000;

export function shaOf(at: number): string {
  return at.toString(16).padStart(40, '0');
}

export function timeOf(at: number): Date {
  return new Date(FIRST_MS + at * HOUR_MS);
}

export function commitOf(at: number): CommitFacts {
  return {
    sha: shaOf(at),
    ...(at === 0 ? {} : { parent: shaOf(at - 1) }),
    time: timeOf(at).toISOString(),
    subject: `change ${at}`,
  };
}

/** A run with samples like a GPU's: whole nanoseconds, a level a process, some slow ones. */
export function storedRunOf(options: RunOf): StoredRun {
  const { at, verdict, branch } = options;
  const head = samplesOf(options, at);
  const started_at = new Date(timeOf(at).getTime() + 600_000).toISOString();
  const on = branch === undefined ? {} : { branch };
  if (verdict === undefined) return { schema: RUN_SCHEMA, kind: 'bench', started_at, ...on, sides: { head } };
  return {
    schema: RUN_SCHEMA,
    kind: 'check',
    started_at,
    branch: branch ?? 'main',
    sides: { head, base: samplesOf(options, Math.max(0, at - 1)) },
    report: reportOf(head, verdict, at, options.waived === true),
  };
}

function samplesOf({ at, cases = ['small'], ...rest }: RunOf, commit: number): Samples {
  const random = new Xoshiro128(BigInt(1000 * at + commit + 1));
  return {
    schema: SAMPLES_SCHEMA,
    device: {
      kind: 'cuda',
      name: rest.device ?? 'NVIDIA H200',
      driver: rest.driver ?? '580.65',
      cuda_runtime: '13.0',
    },
    environment: {
      host: rest.host ?? 'bench-1',
      pawl: '0.1.0',
      started_at: timeOf(at).toISOString(),
      clocks: rest.clocks ?? { policy: 'as-is' },
    },
    measurements: cases.map((name): Measurement => ({
      kernel: 'attention',
      case: name,
      variant: rest.variant ?? { BLOCK_M: 64 },
      ...(rest.isRequested === true ? { variant_requested: true } : {}),
      ...(rest.compiler === undefined ? {} : { binary: { sha256: 'b', compiler: rest.compiler } }),
      mode: 'cold',
      commit: shaOf(commit),
      ...(rest.dirty === true ? { dirty: true } : {}),
      dims: { N: 512 },
      check: { passed: true, oracle: 'reference', tensors: [], tampering: [] },
      series: Array.from({ length: rest.processes ?? 5 }, (_, process) => {
        const level = (rest.level_ms ?? 0.053) * (1 + 0.004 * (random.nextOpen() - 0.5));
        return {
          process: process + 1,
          samples_ms: Array.from({ length: rest.samples ?? 20 }, () => {
            const slow = random.nextOpen() < 0.02 ? 0.3 : 0.02 * random.nextOpen();
            return Math.round(level * (1 + slow) * 1e6) / 1e6;
          }),
          started_at: timeOf(at).toISOString(),
          state_before: { temperature_c: 41, power_w: 118.25 },
        };
      }),
    })),
  };
}

function reportOf(head: Samples, verdict: Verdict, at: number, isWaived: boolean): CheckReport {
  return {
    schema: CHECK_SCHEMA,
    verdict,
    comparison: {
      schema: 'pawl.comparison/1',
      verdict,
      thresholds: { regression_pct: 3, improvement_pct: 5 },
      correction: 'holm',
      error_rates: { false_alarm: 0.005, miss: 0.05 },
      cases: head.measurements.map(({ kernel, case: name, variant, mode }) => ({
        state: 'not-estimated',
        kernel,
        case: name,
        variant,
        mode,
        verdict,
        reason: 'as the test says',
        processes: [5, 5],
        baseline_ms: 0.05,
        candidate_ms: 0.055,
      })),
      missing: [],
    },
    waived: isWaived ? head.measurements.map((one) => waiverOf(one)) : [],
    advanced: [],
    new_cases: [],
    notes: [],
    commit: shaOf(at),
    base_commit: shaOf(Math.max(0, at - 1)),
    cost: { wall_s: 20, device_s: 12.5 },
    files: {},
  };
}

function waiverOf({ kernel, case: name, variant, mode }: Measurement): CheckReport['waived'][number] {
  return {
    key: { kernel, case: name, variant, mode },
    waiver: { reason: 'more precise', author: 'someone', expires: '2027-01-01' },
  };
}
