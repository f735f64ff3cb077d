import type { Sampler, SamplerOptions } from '../../tune/samplers/sampler.ts';
import { pointKey } from '../../tune/space/space.ts';
import { Xoshiro128 } from '../../stats/index.ts';

export const DEFAULT_SAMPLER = 'model';
export function createSampler(_name: string, o: SamplerOptions): Sampler {
  const all = [...(o.first ?? []), ...o.space.sample(o.trials * 4, new Xoshiro128(o.seed))];
  const seen = new Set<string>();
  return {
    ask() {
      for (let p = all.shift(); p; p = all.shift()) {
        if (!seen.has(pointKey(p))) {
          seen.add(pointKey(p));
          return p;
        }
      }
      return undefined;
    },
    tell(p) {
      seen.add(pointKey(p));
    },
  };
}
