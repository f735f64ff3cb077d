import { compareSamples } from '../../src/judge/compare-measurements.ts';
import { EMPTY_BASELINE, type Baseline } from '../../src/model/judge/baseline.ts';
import type { CaseComparison } from '../../src/model/judge/comparison.ts';
import type { Measurement, Samples } from '../../src/model/measure/samples.ts';
import type { Accepted, Audit } from '../../src/ratchet/make-entry.ts';
import { addFirst } from '../../src/ratchet/operations.ts';
import { baselineText, sealBaseline } from '../../src/ratchet/seal.ts';
import { measurementOf } from '../judge/samples-of.ts';

export const AUDIT: Audit = { author: 'Ada <ada@example.org>', time: new Date('2026-03-01T12:00:00Z') };

/** A run of attention on an H200, as `pawl bench` writes it. */
export function runOf(level_ms: number, seed: number, rest: Partial<Measurement> = {}): Samples {
  const measurement = measurementOf(
    { level_ms, processes: 6, samples: 30, seed },
    {
      kernel: 'attention',
      variant: { BLOCK_M: 64 },
      mode: 'cold',
      commit: `c${seed}`,
      dirty: false,
      dims: { B: 32, H: 8, S: 512, D: 64 },
      binary: { sha256: 'b'.repeat(64), toolchain: 'cuda', compiler: 'nvcc 13.0' },
      check: { passed: true, oracle: 'oracle.cpp', tensors: [], tampering: [] },
      ...rest,
    },
  );
  return {
    schema: 'pawl.samples/1',
    device: { kind: 'cuda', name: 'NVIDIA H200', driver: '580.65', cuda_runtime: '13.0' },
    environment: { host: 'gpu1', seed: '42', clocks: { policy: 'as-is' } },
    measurements: [measurement],
  };
}

export function acceptedOf(level_ms: number, seed: number, rest: Partial<Measurement> = {}): Accepted {
  const samples = runOf(level_ms, seed, rest);
  return { measurement: samples.measurements[0]!, samples };
}

export function comparisonOf(before: Accepted, after: Accepted): CaseComparison {
  return compareSamples(before.samples, after.samples).cases[0]!;
}

/** Two cases, one entry each. */
export function twoEntries(): Baseline {
  const first = addFirst(EMPTY_BASELINE, acceptedOf(1, 1), AUDIT);
  return addFirst(first, acceptedOf(2, 2, { case: 'inference_1024' }), AUDIT);
}

export function textOf(baseline: Baseline, key?: string): string {
  return baselineText(sealBaseline(baseline, key));
}
