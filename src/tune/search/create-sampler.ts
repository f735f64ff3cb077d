import { PawlError } from '../../model/pawl-error.ts';
import { ExhaustiveStrategy } from '../samplers/exhaustive-strategy.ts';
import { GeneticStrategy } from '../samplers/genetic-strategy.ts';
import type { History } from '../samplers/history.ts';
import { LatinHypercubeStrategy } from '../samplers/latin-hypercube-strategy.ts';
import { LocalStrategy } from '../samplers/local-strategy.ts';
import { ModelStrategy } from '../samplers/model/model-strategy.ts';
import { RandomStrategy } from '../samplers/random-strategy.ts';
import type { Sampler, SamplerOptions } from '../samplers/sampler.ts';
import type { Strategy } from '../samplers/strategy.ts';
import { StrategySampler } from '../samplers/strategy.ts';
import { TpeStrategy } from '../samplers/model/tpe-strategy.ts';

type MakeStrategy = (history: History, options: SamplerOptions) => Strategy;

const STRATEGIES = {
  model: (history, options) => new ModelStrategy(history, options),
  tpe: (history, options) => new TpeStrategy(history, options),
  local: (history, options) => new LocalStrategy(history, options),
  genetic: (history, options) => new GeneticStrategy(history, options),
  lhs: (history, options) => new LatinHypercubeStrategy(history, options),
  random: () => new RandomStrategy(),
  exhaustive: (history) => new ExhaustiveStrategy(history),
} satisfies Record<string, MakeStrategy>;

export type SamplerName = keyof typeof STRATEGIES;
export const SAMPLER_NAMES = Object.keys(STRATEGIES) as SamplerName[];
export const DEFAULT_SAMPLER: SamplerName = 'model';

export function createSampler(name: string, options: SamplerOptions): Sampler {
  if (!isSamplerName(name)) {
    throw new PawlError(
      'usage',
      `There is no sampler \`${name}\``,
      `Choose one of ${SAMPLER_NAMES.join(', ')} (docs/samplers.md).`,
    );
  }
  return new StrategySampler(options, STRATEGIES[name]);
}

function isSamplerName(name: string): name is SamplerName {
  return Object.hasOwn(STRATEGIES, name);
}
