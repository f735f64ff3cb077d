import { beforeAll, describe, expect, it } from 'vitest';

import type { FuzzSpace } from '../../src/config/fuzz-space.ts';
import { shrinkCase } from '../../src/correctness/shrink-case.ts';
import type { FuzzCase } from '../../src/model/problem/fuzz-case.ts';
import { DIMS, spaceOf } from './fuzz-project.ts';

const FAILING: FuzzCase = {
  dims: { B: 7, H: 5, S: 777, D: 128, CAUSAL: 1 },
  dtype: 'f32',
  values: { q: 'huge', k: 'spikes' },
  seed: '9',
};

describe('shrinkCase', () => {
  let space: FuzzSpace;
  beforeAll(() => {
    space = spaceOf(`{ ${DIMS} }`, '    dtypes: [f16, f32]\n');
  });

  async function shrink(fails: (each: FuzzCase) => boolean, maxAttempts = 200, isOver = () => false) {
    const tried: FuzzCase[] = [];
    const stillFails = (each: FuzzCase) => {
      tried.push(each);
      return Promise.resolve(fails(each));
    };
    return { ...(await shrinkCase(space, FAILING, { stillFails, maxAttempts, isOver })), tried };
  }

  it('finds the smallest and plainest case where anything fails', async () => {
    const { case: smallest } = await shrink(() => true);
    expect(smallest).toEqual({
      dims: { B: 1, H: 1, S: 1, D: 16, CAUSAL: 0 },
      dtype: 'f16',
      values: { q: 'normal', k: 'normal' },
      seed: '9',
    });
  });

  it('keeps what the failure needs, to the last one', async () => {
    const { case: smallest, attempts } = await shrink(
      ({ dims, values }) => (dims['S'] ?? 0) >= 65 && (dims['H'] ?? 0) > 1 && values['q'] === 'huge',
    );
    expect(smallest.dims).toEqual({ B: 1, H: 2, S: 65, D: 16, CAUSAL: 0 });
    expect(smallest.values).toEqual({ q: 'huge', k: 'normal' });
    expect(attempts).toBeLessThan(80);
  });

  it('comes close where failing sizes are not all above one', async () => {
    const { case: smallest } = await shrink(
      ({ dims }) => (dims['S'] ?? 0) % 16 !== 0 && (dims['S'] ?? 0) > 100,
    );
    expect(smallest.dims['S']).toBeGreaterThan(100);
    expect(smallest.dims['S']).toBeLessThan(120);
  });

  it('returns the case itself where nothing smaller fails, and never tries a case twice', async () => {
    const { case: smallest, tried, attempts } = await shrink(() => false);
    expect(smallest).toEqual(FAILING);
    expect(new Set(tried.map((each) => JSON.stringify(each))).size).toBe(attempts);
  });

  it('ends after its attempts, and when the time is up', async () => {
    expect((await shrink(() => false, 3)).attempts).toBe(3);
    expect(
      (
        await shrink(
          () => true,
          200,
          () => true,
        )
      ).attempts,
    ).toBe(0);
  });
});
