import { SAMPLES_SCHEMA, type Measurement, type Samples } from '../../src/model/measure/samples.ts';
import { RUN_SCHEMA, type CommitFacts, type StoredRun } from '../../src/model/history/stored-run.ts';
import { Xoshiro128 } from '../../src/stats/random.ts';

export interface GeneratedHistory {
  readonly cases: number;
  readonly processes: number;
  readonly samples: number;
  /** An H200 unless told. */
  readonly device?: string;
}

const FIRST_MS = Date.UTC(2024, 10, 15);
/** 5,000 commits in two years. */
const COMMIT_MS = (2 * 365 * 86_400_000) / 5000;

export function commitAt(at: number): CommitFacts {
  return { sha: shaAt(at), time: new Date(timeAt(at)).toISOString(), subject: `change ${at}` };
}

export function timeAt(at: number): number {
  return Math.round(FIRST_MS + at * COMMIT_MS);
}

function shaAt(at: number): string {
  return (at + 1).toString(16).padStart(8, '0').padEnd(40, 'c');
}

/**
 * A run of every case at one commit, with timings like an H200's: multiples of 32 ns, processes that differ by about
 * half a percent, a few slow samples, and a level that steps now and then.
 */
export function runAt(
  at: number,
  { cases, processes, samples, device = 'NVIDIA H200' }: GeneratedHistory,
): StoredRun {
  const random = new Xoshiro128(at + 1);
  const started_at = new Date(timeAt(at) + 300_000).toISOString();
  const head: Samples = {
    schema: SAMPLES_SCHEMA,
    device: { kind: 'cuda', name: device, driver: '580.65', cuda_runtime: '13.0' },
    environment: { host: `bench-${at % 4}`, pawl: '0.1.0', started_at, clocks: { policy: 'as-is' } },
    measurements: Array.from({ length: cases }, (_, index): Measurement => {
      const level = levelAt(at, index);
      return {
        kernel: `kernel-${index % 10}`,
        case: `case-${Math.floor(index / 10)}`,
        variant: { BLOCK_M: 64, STAGES: 3 },
        mode: 'cold',
        commit: shaAt(at),
        series: Array.from({ length: processes }, (_, process) => {
          const own = level * (1 + 0.01 * (random.nextOpen() + random.nextOpen() - 1));
          return {
            process: process + 1,
            samples_ms: Array.from({ length: samples }, () => {
              const late = random.nextOpen() < 0.03 ? 0.3 * random.nextOpen() : 0.02 * random.nextOpen();
              // 32 ns, the resolution of an event; written as the decimal that it is.
              return Math.round(Math.max(1, Math.round((own * (1 + late)) / 32e-6)) * 32) / 1e6;
            }),
            batch: 1,
            timing: 'blocked',
            started_at,
            state_before: { temperature_c: 40 + Math.floor(8 * random.nextOpen()), sm_clock_mhz: 1980 },
          };
        }),
      };
    }),
  };
  return { schema: RUN_SCHEMA, kind: 'bench', started_at, sides: { head }, device_s: 40 };
}

/** 0.05 to 2 ms, each with its own steps of a few percent. */
function levelAt(at: number, index: number): number {
  const base = 0.05 * 40 ** ((index % 97) / 97);
  const steps = Math.floor((at + 37 * index) / 900);
  return base * (1 + 0.03 * ((steps * 7919) % 5));
}
