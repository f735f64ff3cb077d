import { describe, expect, it } from 'vitest';

import { rankKernels, type JudgedPair } from '../../src/judge/race/rank-kernels.ts';
import type { Verdict } from '../../src/model/judge/verdict.ts';

const pair = (candidate: string, verdict: Verdict, baseline: string): JudgedPair => ({
  baseline,
  candidate,
  verdict,
});

function ranks(kernels: string, ...pairs: readonly JudgedPair[]): Record<string, [number, number]> {
  return Object.fromEntries(rankKernels(kernels.split(''), pairs));
}

describe('rankKernels', () => {
  it('gives each kernel a place of its own where every pair is told apart', () => {
    const found = ranks(
      'abc',
      pair('b', 'regressed', 'a'),
      pair('c', 'improved', 'a'),
      pair('c', 'improved', 'b'),
    );
    expect(found).toEqual({ c: [1, 1], a: [2, 2], b: [3, 3] });
  });

  it.each(['maintained', 'undecided'] as const)('lets kernels share places where a pair is %s', (same) => {
    const found = ranks(
      'abc',
      pair('b', same, 'a'),
      pair('c', 'regressed', 'a'),
      pair('c', 'regressed', 'b'),
    );
    expect(found).toEqual({ a: [1, 2], b: [1, 2], c: [3, 3] });
  });

  it('leaves open what is not shown: neighbours that cannot be told apart, with ends that can', () => {
    const found = ranks(
      'abc',
      pair('b', 'maintained', 'a'),
      pair('c', 'maintained', 'b'),
      pair('c', 'regressed', 'a'),
    );
    expect(found).toEqual({ a: [1, 2], b: [1, 3], c: [2, 3] });
  });

  it('takes a kernel as faster than what a slower one beats', () => {
    const found = ranks(
      'abc',
      pair('b', 'regressed', 'a'),
      pair('c', 'regressed', 'b'),
      pair('c', 'undecided', 'a'),
    );
    expect(found).toEqual({ a: [1, 1], b: [2, 2], c: [3, 3] });
  });

  it('tells nobody apart where the comparisons contradict each other', () => {
    const found = ranks(
      'abc',
      pair('b', 'regressed', 'a'),
      pair('c', 'regressed', 'b'),
      pair('c', 'improved', 'a'),
    );
    expect(found).toEqual({ a: [1, 3], b: [1, 3], c: [1, 3] });
  });

  it('knows nothing where nothing was compared', () => {
    expect(ranks('ab')).toEqual({ a: [1, 2], b: [1, 2] });
  });
});
