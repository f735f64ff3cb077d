import { describe, expect, it } from 'vitest';

import { createSampler, SAMPLER_NAMES } from '../../src/tune/search/create-sampler.ts';
import { describeSampler, measure, smallSpace } from './sampler-conformance.ts';

for (const name of SAMPLER_NAMES) {
  describeSampler(name, (options) => createSampler(name, options), name !== 'exhaustive');
}

describe('createSampler', () => {
  it('refuses a name it does not know and lists those it does', () => {
    expect(() => createSampler('simplex', { space: smallSpace(), seed: 1, trials: 5 })).toThrow(
      expect.objectContaining({
        kind: 'usage',
        hint: expect.stringContaining('model, tpe, local') as string,
      }),
    );
  });

  it('finds the best of 104 points within 40 trials with the model, from any of ten seeds', () => {
    const space = smallSpace();
    const times = space.all()!.map((point) => {
      const outcome = measure(space, point);
      return 'time_ms' in outcome ? outcome.time_ms : Infinity;
    });
    const optimum = Math.min(...times);
    const found = Array.from({ length: 10 }, (_, seed) => {
      const sampler = createSampler('model', { space, seed, trials: 40 });
      let best = Infinity;
      for (let trial = 0; trial < 40; trial++) {
        const point = sampler.ask()!;
        const outcome = measure(space, point);
        if ('time_ms' in outcome) best = Math.min(best, outcome.time_ms);
        sampler.tell(point, outcome);
      }
      return best;
    });
    expect(found.every((best) => best === optimum)).toBe(true);
  });
});
