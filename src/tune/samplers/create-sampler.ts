import { PawlError } from '../../model/pawl-error.ts';
import { ExhaustiveStrategy } from './exhaustive-strategy.ts';
import { GeneticStrategy } from './genetic-strategy.ts';
import type { History } from './history.ts';
import { LatinHypercubeStrategy } from './latin-hypercube-strategy.ts';
import { LocalStrategy } from './local-strategy.ts';
import { ModelStrategy } from './model/model-strategy.ts';
import { RandomStrategy } from './random-strategy.ts';
import type { Sampler, SamplerOptions } from './sampler.ts';
import type { Strategy } from './strategy.ts';
import { StrategySampler } from './strategy.ts';
import { TpeStrategy } from './tpe-strategy.ts';

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
      `No sampler is called \`${name}\``,
      `There are ${SAMPLER_NAMES.join(', ')}; docs/samplers.md says what each is for.`,
    );
  }
  return new StrategySampler(options, STRATEGIES[name]);
}

function isSamplerName(name: string): name is SamplerName {
  return Object.hasOwn(STRATEGIES, name);
}
