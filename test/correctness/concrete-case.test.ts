import { describe, expect, it } from 'vitest';

import { concreteCase } from '../../src/correctness/concrete-case.ts';
import { toleranceShare } from '../../src/correctness/tolerance-share.ts';
import { tensorSpecSchema } from '../../src/model/problem/tensor.ts';
import { VALUE_KINDS } from '../../src/model/problem/fuzz-case.ts';
import { DIMS, spaceOf } from './fuzz-project.ts';

const dims = { B: 2, H: 2, S: 3, D: 16, CAUSAL: 0 };

describe('concreteCase', () => {
  it.each([...VALUE_KINDS, 'own', 'nan', 'nan+inf'])(
    'asks the runner for %s values in a form it knows',
    (kind) => {
      const space = spaceOf(`{ ${DIMS} }`);
      const concrete = concreteCase(space, 'x', { dims, values: { q: kind }, seed: '1' });
      expect(concrete?.plan.tensors).toHaveLength(4);
      for (const tensor of concrete?.plan.tensors ?? [])
        expect(tensorSpecSchema.parse(tensor)).toEqual(tensor);
    },
  );

  it('strews at least two elements that are not finite over a small tensor', () => {
    const space = spaceOf(`{ ${DIMS} }`);
    const concrete = concreteCase(space, 'x', { dims, values: { q: 'nan+-inf' }, seed: '1' });
    expect(concrete?.plan.tensors[0]?.fill).toEqual({
      kind: 'nonfinite',
      values: ['nan', '-inf'],
      share: 2 / (2 * 2 * 3 * 16),
    });
  });

  it('lets absolute errors grow with the scale of the values, and with nothing else', () => {
    const space = spaceOf(`{ ${DIMS}, huge: 50 }`);
    const atol = (values: Record<string, string>) =>
      concreteCase(space, 'x', { dims, values, seed: '1' })?.plan.tolerance.atol;
    expect(atol({ q: 'normal', k: 'tiny' })).toBe(2e-3);
    expect(atol({ q: 'huge', k: 'tiny' })).toBeCloseTo(0.1, 12);
    expect(atol({ q: 'mixed' })).toBeCloseTo(0.02, 12);
  });

  it('is nothing where a formula comes out wrong or a dimension is missing', () => {
    const space = spaceOf(`{ ${DIMS} }`);
    expect(concreteCase(space, 'x', { dims: { ...dims, S: 0 }, values: {}, seed: '1' })).toBeUndefined();
    expect(concreteCase(space, 'x', { dims: { S: 1 }, values: {}, seed: '1' })).toBeUndefined();
  });
});

describe('toleranceShare', () => {
  const result = (got: number, want: number, reference?: number) => ({
    passed: true,
    oracle: 'o',
    tampering: [],
    tensors: [
      { name: 'y', elements: 1, mismatches: 0, max_abs_err: null, max_rel_err: null },
      {
        name: 'z',
        elements: 1,
        mismatches: 0,
        max_abs_err: null,
        max_rel_err: null,
        worst: { index: [3], got, want },
        ...(reference === undefined ? {} : { reference: { max_abs_err: reference, rms_err: null } }),
      },
    ],
  });

  it('is the error of the worst element over what is allowed there', () => {
    expect(toleranceShare(result(2.5, 2), { atol: 1, rtol: 0.5 })).toEqual({
      share: 0.25,
      tensor: 'z',
      index: [3],
    });
    expect(toleranceShare(result(2.5, 2, 1), { atol: 1, rtol: 0.5, factor: 4 })?.share).toBe(0.125);
    expect(toleranceShare(result(2, 2), { atol: 1, rtol: 0 })).toBeUndefined();
    expect(toleranceShare(result(2.5, 2), { atol: 0, rtol: 0 })).toBeUndefined();
  });

  it('takes the error of a reference into account only where there is one, and a factor for it', () => {
    expect(toleranceShare(result(2.5, 2, 100), { atol: 1, rtol: 0.5 })?.share).toBe(0.25);
    expect(toleranceShare(result(2.5, 2), { atol: 1, rtol: 0.5, factor: 100 })?.share).toBe(0.25);
  });
});
