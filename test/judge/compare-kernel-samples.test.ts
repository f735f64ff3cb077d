import { describe, expect, it } from 'vitest';

import { compareKernelSamples, pairInFiles } from '../../src/judge/compare-kernel-samples.ts';
import { JUDGE_DEFAULTS } from '../../src/judge/judge-policy.ts';
import type { Measurement, Samples } from '../../src/model/measure/samples.ts';
import { samplesOf, seriesOf } from './samples-of.ts';

function fileOf(kernel: string, level_ms: number, more: Partial<Measurement> = {}): Samples {
  const measurement = {
    kernel,
    case: 'small',
    dims: { N: 8 },
    series: seriesOf({ level_ms, processes: 6, seed: level_ms }),
    ...more,
  };
  return samplesOf(measurement);
}

function joined(...files: readonly Samples[]): Samples {
  return samplesOf(...files.flatMap(({ measurements }) => measurements));
}

function compared(base: Samples, head: Samples, kernels?: readonly string[]) {
  const pair = pairInFiles({ base, head }, kernels);
  return pair && compareKernelSamples({ base, head }, pair, JUDGE_DEFAULTS).comparison;
}

const code = 'bad-data';

describe('files of two kernels', () => {
  it('are compared where each holds one kernel, and the comparison says which', () => {
    const problem = 'sum';
    const comparison = compared(fileOf('reference', 2, { problem }), fileOf('mine', 1, { problem }));
    expect(comparison).toMatchObject({
      verdict: 'improved',
      kernels: { baseline: 'reference', candidate: 'mine', problem, matched_by: 'problem' },
      cases: [{ kernel: 'mine', case: 'small' }],
    });
  });

  it('are compared by their cases where a file does not name the problem', () => {
    const comparison = compared(fileOf('reference', 1), fileOf('mine', 2, { problem: 'sum' }));
    expect(comparison).toMatchObject({ verdict: 'regressed', kernels: { matched_by: 'cases' } });
  });

  it('are compared whatever tunables each kernel has', () => {
    const comparison = compared(fileOf('a', 1, { variant: { X: 1 } }), fileOf('b', 2, { variant: { Y: 2 } }));
    expect(comparison?.verdict).toBe('regressed');
  });

  it('are compared by name as ever where they have a kernel in common', () => {
    expect(
      pairInFiles({ base: fileOf('a', 1), head: joined(fileOf('a', 1), fileOf('b', 1)) }, undefined),
    ).toBe(undefined);
  });

  it('hold several kernels: those that are named are compared', () => {
    const all = joined(fileOf('slow', 4), fileOf('mine', 1), fileOf('reference', 2));
    expect(compared(all, all, ['mine', 'reference'])).toMatchObject({
      verdict: 'improved',
      cases: [{ kernel: 'mine' }],
      missing: [],
    });
    expect(() => compared(joined(fileOf('a', 1), fileOf('b', 1)), fileOf('c', 1))).toThrow(
      expect.objectContaining({ kind: code, hint: expect.stringContaining('--kernels') }),
    );
    expect(() => compared(all, all, ['mine', 'refernce'])).toThrow(
      expect.objectContaining({ kind: code, message: expect.stringContaining('slow, mine, reference') }),
    );
  });

  it('are refused where they are of different problems, dimensions or cases', () => {
    const mine = fileOf('mine', 1, { problem: 'sum' });
    for (const other of [{ problem: 'product' }, { dims: { N: 9 } }, { case: 'large' }]) {
      expect(() => compared(fileOf('reference', 1, other), mine)).toThrow(
        expect.objectContaining({ kind: code }),
      );
    }
  });

  it('give no answer where the reference is wrong', () => {
    const check = { passed: false, oracle: 'the oracle', tensors: [] } as unknown as Measurement['check'];
    expect(compared(fileOf('reference', 1, { check }), fileOf('mine', 1))?.verdict).toBe('undecided');
  });

  it('name cases of the reference alone by its own name', () => {
    const base = joined(fileOf('reference', 1), fileOf('reference', 1, { case: 'large' }));
    expect(compared(base, fileOf('mine', 1))?.missing).toMatchObject([
      { kernel: 'reference', case: 'large' },
    ]);
  });
});
