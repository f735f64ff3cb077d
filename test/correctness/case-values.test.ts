import { describe, expect, it } from 'vitest';

import { fillFor, kindsFor, scaleOf } from '../../src/correctness/case-values.ts';
import type { TensorSpec } from '../../src/model/problem/tensor.ts';

function tensorOf(...shape: number[]): TensorSpec {
  return { name: 'x', role: 'input', dtype: 'f32', shape, fill: { kind: 'normal', mean: 0, std: 1 } };
}

describe('fillFor', () => {
  it.each([
    ['own', undefined],
    ['normal', { kind: 'normal', mean: 0, std: 1 }],
    ['uniform', { kind: 'uniform', low: -1, high: 1 }],
    ['huge', { kind: 'normal', mean: 0, std: 500 }],
    ['tiny', { kind: 'normal', mean: 0, std: 1e-3 }],
    ['denormal', { kind: 'denormal' }],
    ['constant-rows', { kind: 'constant-rows', std: 1 }],
    ['spikes', { kind: 'spikes', low: 0, high: 500 }],
    ['mixed', { kind: 'mixed', scale: 10 }],
  ])('fills with %s as %o', (values, fill) => {
    expect(fillFor(values, tensorOf(8), 500)).toEqual(fill);
  });

  it('makes one element in a thousand special, and at least two, but no more than there are', () => {
    const share = (...shape: number[]) => fillFor('nan+inf', tensorOf(...shape), 1);
    expect(share(100, 100)).toEqual({ kind: 'nonfinite', values: ['nan', 'inf'], share: 1e-3 });
    expect(share(10, 10)).toMatchObject({ share: 0.02 });
    expect(share(1)).toMatchObject({ share: 1 });
  });
});

describe('scaleOf', () => {
  it('says how much larger than one the values are, and never less', () => {
    const scales = (huge: number) =>
      ['huge', 'spikes', 'mixed', 'normal', 'tiny'].map((kind) => scaleOf(kind, huge));
    expect(scales(500)).toEqual([500, 500, 10, 1, 1]);
    expect(scales(0.5)).toEqual([1, 1, 10, 1, 1]);
  });
});

describe('kindsFor', () => {
  it('leaves out what overflows the type within eight standard deviations', () => {
    expect(kindsFor(['normal', 'huge'], 'f16', 65_504 / 8)).toEqual(['normal', 'huge']);
    expect(kindsFor(['normal', 'huge'], 'f16', 65_504 / 8 + 1)).toEqual(['normal']);
    expect(kindsFor(['normal', 'huge'], 'f32', 1e9)).toEqual(['normal', 'huge']);
    expect(kindsFor(['normal', 'huge'], undefined, 1e9)).toEqual(['normal', 'huge']);
    expect(kindsFor(['huge'], 'f16', 1e9)).toEqual(['normal']);
  });
});
