/** The runs whose comments are shown in docs/ci.md: what a pull request mostly comes to. */
import { compareSamples } from '../../src/judge/compare-measurements.ts';
import type { CheckReport } from '../../src/model/reports/check-report.ts';
import type { CiRun } from '../../src/model/reports/ci-run.ts';
import type { Measurement } from '../../src/model/measure/samples.ts';
import { measurementOf, samplesOf } from '../judge/samples-of.ts';
import { ciRun } from './ci-runs.ts';

/** One case: how long it took before, and what part of that it takes now. */
interface Shown {
  readonly kernel: string;
  readonly name: string;
  readonly before_ms: number;
  readonly now: number;
  readonly check?: Measurement['check'];
}

const COMMIT = '8c41d7e9aa0b5f1042b7c6d35e0f9a81b2c3d4e5';

function runOf(shown: readonly Shown[], rest: Partial<CheckReport> = {}): CiRun {
  const side = (isBase: boolean) =>
    samplesOf(
      ...shown.map(({ kernel, name, before_ms, now, check }, index) =>
        measurementOf(
          { level_ms: isBase ? before_ms : before_ms * now, processes: 8, seed: index + (isBase ? 1 : 5000) },
          { kernel, case: name, mode: 'cold', variant: {}, ...(isBase || !check ? {} : { check }) },
        ),
      ),
    );
  const comparison = compareSamples(side(true), side(false));
  const { verdict } = comparison;
  const check: CheckReport = {
    schema: 'pawl.check/1',
    verdict,
    comparison,
    waived: [],
    advanced: [],
    new_cases: [],
    notes: [],
    files: {},
    baseline: { path: 'pawl-baseline.json', state: 'read' },
    hardware: 'NVIDIA H200 · driver 580.159.04',
    commit: COMMIT,
    base_commit: '3f9d2c1b7a60',
    environment: { host: 'gpu-host', pawl: '0.1.0' },
    cost: { wall_s: 142, device_s: 61 },
    ...rest,
  };
  const isBad = verdict === 'regressed' || verdict === 'incorrect';
  return ciRun({ verdict, conclusion: isBad ? 'failure' : 'success', check });
}

const ATTENTION = [
  { kernel: 'attention-cuda', name: 'training_512', before_ms: 0.0533, now: 1 },
  { kernel: 'attention-cuda', name: 'long_2048', before_ms: 0.412, now: 1 },
  { kernel: 'softmax', name: 'rows_4096', before_ms: 0.0121, now: 1 },
  { kernel: 'softmax', name: 'rows_65536', before_ms: 0.187, now: 1 },
] as const satisfies readonly Shown[];

/** Some of the four cases take another part of their time. */
function changed(now: Readonly<Record<string, number>>): Shown[] {
  return ATTENTION.map((one) => Object.assign({}, one, { now: now[one.name] ?? 1 }));
}

const WRONG: NonNullable<Measurement['check']> = {
  passed: false,
  oracle: 'oracle.cpp',
  tampering: [],
  tensors: [
    {
      name: 'out',
      elements: 262_144,
      mismatches: 1024,
      max_abs_err: 0.4,
      max_rel_err: 1,
      worst: {
        index: [3, 17],
        got: 0.1282,
        want: 0.5311,
        neighbours: [
          { index: [3, 16], got: 0.4988, want: 0.4988 },
          { index: [3, 18], got: 0.1279, want: 0.5304 },
        ],
      },
    },
  ],
};

/** Two hundred cases of five kernels with long names; the last kernel got slower in all of its cases. */
function twoHundred(): Shown[] {
  return Array.from({ length: 200 }, (_, index) => {
    const kernel = [
      'flash_attention_forward',
      'flash_attention_backward',
      'rms_norm',
      'rope',
      'grouped_gemm_fp8',
    ][index % 5]!;
    const shape = `batch${2 ** (index % 7)}_heads${8 * (1 + (index % 4))}_seq${128 * (1 + index)}_dim128_causal`;
    const slower = kernel === 'grouped_gemm_fp8' ? 1.08 + index / 2000 : 1;
    return { kernel, name: shape, before_ms: 0.02 + index / 500, now: slower };
  });
}

export const COMMENT_RUNS: Readonly<Record<string, CiRun>> = {
  regression: runOf(changed({ training_512: 1.508, long_2048: 1.512 }), {
    profiles: [
      {
        key: { kernel: 'attention-cuda', case: 'training_512', mode: 'cold', variant: {} },
        change_pct: -50.8,
        at: {
          path: 'kernels/attention.cu',
          line: 84,
          text: 'kernels/attention.cu:84, which changed, takes 26.1 µs more: sum += tile[threadIdx.x][k];',
        },
        summary:
          'It is bound by shared memory now; kernels/attention.cu:84, which changed, takes 26.1 µs more',
        head: {
          finding: {
            rule: 'bank-conflicts',
            diagnosis: 'shared memory answers 31 % of the requests in several turns',
            fix: 'Pad the rows of the tile by one element.',
          },
        },
        seconds: 9,
      },
    ],
  }),
  improvement: runOf(changed({ long_2048: 0.45, training_512: 0.83 })),
  many: runOf(twoHundred()),
  incorrect: runOf(
    ATTENTION.map((one) => Object.assign({}, one, one.name === 'rows_4096' ? { check: WRONG } : {})),
  ),
  unchanged: runOf(ATTENTION),
};
