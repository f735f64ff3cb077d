import { describe, expect, it } from 'vitest';

import { Xoshiro128 } from '../../../src/stats/random.ts';
import { latinHypercube } from '../../../src/tune/samplers/latin-hypercube.ts';
import { createSpace } from '../../../src/tune/space/create-space.ts';
import { pointKey } from '../../../src/tune/space/space.ts';
import { smallSpace } from '../../contract/sampler-conformance.ts';

const tens = Array.from({ length: 20 }, (_, index) => 10 * index + 10);

describe('latinHypercube', () => {
  it('has each of twenty values of every parameter once where nothing is forbidden', () => {
    const space = createSpace({
      parameters: ['a', 'b'].map((name) => ({ name, kind: 'ordered', values: tens })),
    });
    const design = latinHypercube(space, 20, new Xoshiro128(2));
    for (const at of [0, 1]) {
      const used = new Set(design.map((point) => point[at]!));
      // Two neighbours may share a value where the pool's strata cut through it.
      expect(used.size).toBeGreaterThanOrEqual(15);
    }
  });

  it('has distinct feasible points of a constrained space, with every value of each parameter', () => {
    const space = smallSpace();
    const design = latinHypercube(space, 20, new Xoshiro128(3));
    expect(new Set(design.map(pointKey)).size).toBe(20);
    expect(design.every((point) => space.contains(point))).toBe(true);
    for (const [at, { values }] of space.parameters.entries()) {
      expect(new Set(design.map((point) => point[at])).size).toBe(values.length);
    }
  });

  it('is the whole space where that is smaller', () => {
    const space = createSpace({ parameters: [{ name: 'a', kind: 'ordered', values: [1, 2, 3] }] });
    expect(latinHypercube(space, 20, new Xoshiro128(1))).toHaveLength(3);
  });
});
