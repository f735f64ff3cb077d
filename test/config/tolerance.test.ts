import { describe, expect, it } from 'vitest';

import { loadConfig } from '../../src/config/load-config.ts';
import type { LoadedConfig } from '../../src/config/load-config.ts';
import { planKernel } from '../../src/config/plan-kernel.ts';
import { toleranceShare } from '../../src/correctness/tolerance-share.ts';
import { blindTolerance } from '../../src/model/correctness/blind-tolerance.ts';
import { PawlError } from '../../src/model/pawl-error.ts';
import { judgeChanges } from '../../src/ratchet/base-judge/judge-changes.ts';
import { tempProject } from './temp-project.ts';

interface Parts {
  readonly tolerance?: string;
  readonly mean?: string;
  readonly dtype?: string;
}

async function load({ tolerance = '{}', mean = '', dtype = 'f32' }: Parts = {}): Promise<LoadedConfig> {
  const root = await tempProject({
    'norm.c': '',
    'pawl.yaml': `version: 1
problems:
  norm:
    dims: [N, K]
    tensors:
      x: { role: input, dtype: f16, shape: [N, K] }
      y: { role: output, dtype: f16, shape: [N, K] }
      mean: { role: output, dtype: f32, shape: [N]${mean} }
      count: { role: output, dtype: i32, shape: [N] }
    tolerance: ${tolerance}
    cases: { small: { N: 8, K: 4 }, large: { N: 8, K: 64 } }
kernels:
  norm: { problem: norm, device: cpu, language: c, sources: [norm.c], dtype: ${dtype} }
`,
  });
  return loadConfig(root);
}

async function planned(parts: Parts) {
  return planKernel(await load(parts), 'norm').cases.map(({ tolerance }) => tolerance);
}

describe('the tolerance of a problem', () => {
  it('may be formulas over the dimensions', async () => {
    const [small, large] = await planned({ tolerance: '{ atol: 1e-3 * sqrt(K), rtol: 1 / K }' });
    expect(small).toEqual({ atol: 2e-3, rtol: 0.25 });
    expect(large).toEqual({ atol: 8e-3, rtol: 1 / 64 });
  });

  it('is replaced by that of an output, in what it names', async () => {
    const mean = ', tolerance: { atol: 1e-6 * K, share: 0.5 }';
    const [small] = await planned({ tolerance: '{ atol: 0.5, rtol: 0.25, factor: 4, share: 0.9 }', mean });
    expect(small).toMatchObject({ atol: 0.5, rtol: 0.25, factor: 4, share: 0.9 });
    expect(small?.outputs?.['mean']).toEqual({ atol: 4e-6, rtol: 0.25, factor: 4, share: 0.5 });
    expect(Object.keys(small?.outputs ?? {})).toEqual(['mean']);
  });

  it('grows with the step of each output: not of integers, and of one with its own from its own type', async () => {
    const mean = ', tolerance: { atol: 1e-6, rtol: 0 }';
    const [small] = await planned({ tolerance: '{ atol: 1, rtol: 1 }', mean, dtype: 'bf16' });
    expect(small).toEqual({
      atol: 8,
      rtol: 8,
      outputs: { mean: { atol: 1e-6 * 2 ** 16, rtol: 0 }, count: { atol: 1, rtol: 1 } },
    });
  });

  it('is listed where a change alters it, also that of an output', async () => {
    const changes = judgeChanges(await load(), await load({ mean: ', tolerance: { share: 0.5 }' }), {
      kernels: ['norm'],
    });
    expect(changes).toEqual([
      expect.objectContaining({ kind: 'tolerance', text: 'tolerance of mean of norm: share: nothing → 0.5' }),
    ]);
  });

  it.each<[Parts, string]>([
    [
      { tolerance: '{ atol: 1e-6 * M }' },
      'problems.norm.tolerance.atol: `M` is not a dimension; there are N, K',
    ],
    [
      { tolerance: '{ atol: 4 - K }' },
      'problems.norm.tolerance.atol: `4 - K` is -60 in case large, not zero or more',
    ],
    [{ tolerance: '{ share: 1.5 }' }, 'problems.norm.tolerance.share: 1.5 is too large; expected at most 1'],
    [
      { mean: ', tolerance: { atol: sqrt(N - 9) }' },
      'problems.norm.tensors.mean.tolerance.atol: sqrt of -1 at character 1 of `sqrt(N - 9)`, in case small',
    ],
  ])('is refused as %j', async (parts, message) => {
    const failure: unknown = await load(parts).catch((error: unknown) => error);
    if (!(failure instanceof PawlError)) throw new Error('it was loaded');
    expect(failure.message.split('\n').map((line) => line.replace(/^.*pawl\.yaml:\d+:\d+: /, ''))).toContain(
      message,
    );
  });
});

describe('what is said of the tolerance of one output', () => {
  const result = { passed: true, oracle: 'o', tampering: [] };
  const tensor = { elements: 100, mismatches: 0, max_abs_err: 1, max_rel_err: 1 };

  it('is where its blindness is mended', () => {
    const blind = [
      { answer: 'zeros', tensor: 'y', max_abs_err: 1, atol: 1e-7, rtol: 1e-3 },
      { answer: 'zeros', tensor: 'mean', max_abs_err: 1, atol: 0.25, rtol: 0, share: 1, own: true },
    ];
    expect(blindTolerance({ ...result, tensors: [], blind })?.remedy).toBe(
      'Write a tighter tolerance for the problem in pawl.yaml: tolerance: { atol: 1e-7, rtol: 1e-3 }; in `tensors.mean`, tolerance: { atol: 0.25, rtol: 0, share: 1 }',
    );
  });

  it('is how near its worst element came, and never beyond where a share excuses that', () => {
    const worst = { index: [0], got: 3, want: 1 };
    const tensors = [{ ...tensor, name: 'mean', worst }];
    const outputs = { mean: { atol: 8, rtol: 0 } };
    expect(toleranceShare({ ...result, tensors }, { atol: 1, rtol: 0, outputs })?.share).toBe(0.25);
    expect(toleranceShare({ ...result, tensors }, { atol: 1, rtol: 0, share: 0.9 })?.share).toBe(1);
  });
});
