import type { Verification } from '../../src/model/correctness/verification.ts';
import type { FuzzedKernel, FuzzFailure, FuzzReport } from '../../src/model/correctness/fuzz-report.ts';
import { FUZZ_SCHEMA } from '../../src/model/correctness/fuzz-report.ts';

const CHECK: Verification = {
  passed: false,
  oracle: 'oracle.so',
  tampering: [
    { detector: 'wrong-result', tensor: 'o', message: '3 of 4096 elements of o differ from oracle.so' },
    { detector: 'input-changed', tensor: 'q', message: 'q holds other bytes after the call' },
  ],
  tensors: [
    {
      name: 'o',
      elements: 4096,
      mismatches: 3,
      max_abs_err: 1.25,
      max_rel_err: 5,
      rms_err: 0.01,
      spread: {
        exact: 4000,
        decades: [
          { exponent: -5, count: 90 },
          { exponent: -3, count: 3 },
          { exponent: 0, count: 2 },
        ],
        nonfinite: 1,
      },
      worst: {
        index: [0, 3, 7],
        got: 1.5,
        want: 0.25,
        neighbours: [
          { index: [0, 3, 6], got: 0.5, want: 0.5 },
          { index: [0, 3, 8], got: 'nan', want: -0.125 },
          { index: [0, 2, 7], got: '-inf', want: 3e-7 },
        ],
      },
    },
  ],
};

export const FAILURE: FuzzFailure = {
  detector: 'wrong-result',
  tensor: 'o',
  message: '3 of 4096 elements of o differ from oracle.so',
  source: 'generated',
  name: 'generated-12',
  case: { dims: { B: 3, S: 777 }, dtype: 'f16', values: { q: 'huge', k: 'spikes' }, seed: '123' },
  shrunk: { dims: { B: 1, S: 17 }, dtype: 'f16', values: { q: 'huge', k: 'normal' }, seed: '123' },
  shrink_attempts: 31,
  alone: true,
  replay: "pawl fuzz --only bad --replay 'B=1,S=17 dtype=f16 values=q:huge,k:normal seed=123'",
  check: CHECK,
  repeats: 4,
  saved: true,
};

const KERNEL: FuzzedKernel = {
  kernel: 'good',
  problem: 'attention',
  device: 'cpu',
  variant: {},
  state: 'passed',
  counts: {
    matrix: { passed: 27, failed: 0, skipped: 0 },
    generated: { passed: 200, failed: 0, skipped: 2 },
  },
  failures: [],
  worst: { share: 0.314, tensor: 'o', index: [1, 2], case: FAILURE.case },
  notes: [],
  duration_s: 12,
};

/** A run with a kernel that passed, one that failed and one that could not run. */
export function fuzzRun(failure: FuzzFailure = FAILURE): FuzzReport {
  const { worst: _, ...bare } = KERNEL;
  return {
    schema: FUZZ_SCHEMA,
    subject: 'kernels',
    result: 'failed',
    seed: '424242',
    started_at: '2026-01-02T03:04:05.678Z',
    duration_s: 30,
    commit: 'a'.repeat(40),
    dirty: true,
    kernels: [
      KERNEL,
      {
        ...bare,
        kernel: 'bad',
        state: 'failed',
        counts: { generated: { passed: 10, failed: 5, skipped: 0 } },
        failures: [failure],
        stopped: '5 different failures found',
      },
      {
        ...bare,
        kernel: 'gone',
        device: 'cuda',
        state: 'absent',
        absence: { reason: 'no-gpu', message: 'there is no GPU here', hint: 'Use a machine with one.' },
        counts: {},
      },
    ],
  };
}
