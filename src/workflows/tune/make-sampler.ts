import { ExhaustiveStrategy } from '../../tune/samplers/exhaustive-strategy.ts';
import { LatinHypercubeStrategy } from '../../tune/samplers/latin-hypercube-strategy.ts';
import type { Sampler, SamplerOptions } from '../../tune/samplers/sampler.ts';
import { StrategySampler } from '../../tune/samplers/strategy.ts';

export function createSampler(name: string, o: SamplerOptions): Sampler {
  return name === 'exhaustive'
    ? new StrategySampler(o, (h) => new ExhaustiveStrategy(h))
    : new StrategySampler(o, (h, p) => new LatinHypercubeStrategy(h, p));
}
