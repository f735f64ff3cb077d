import { createSampler, SAMPLER_NAMES } from '../../src/tune/search/create-sampler.ts';
import { ModelStrategy } from '../../src/tune/samplers/model/model-strategy.ts';
import { FULL_VIEW, MODEL_SETTINGS, PLAIN_VIEW } from '../../src/tune/samplers/model/settings.ts';
import type { ModelSettings } from '../../src/tune/samplers/model/settings.ts';
import type { Sampler, SamplerOptions } from '../../src/tune/samplers/sampler.ts';
import { StrategySampler } from '../../src/tune/samplers/strategy.ts';

/** The model with parts of it changed or left out, to see what each is worth. */
export const ABLATIONS: Readonly<Record<string, Partial<ModelSettings>>> = {
  'model: log of times': { views: [{ ...FULL_VIEW, warp: 'log' }] },
  'model: shifted log of times': { views: [{ ...FULL_VIEW, warp: 'shifted-log' }] },
  'model: no features': { views: [PLAIN_VIEW] },
  'model: no constraint features': { views: [{ ...FULL_VIEW, constraintFeatures: false }] },
  'model: no name features': { views: [{ ...FULL_VIEW, nameFeatures: false }] },
  'model: no roundness features': { views: [{ ...FULL_VIEW, roundness: [] }] },
  'model: with and without features': { views: [FULL_VIEW, PLAIN_VIEW] },
  'model: rank and log': { views: [FULL_VIEW, { ...FULL_VIEW, warp: 'log' }] },
  'model: no additive part': { additivePart: false },
  'model: no feasibility model': { feasibilityModel: false },
  'model: no dead values': { deadValues: false },
  'model: scales not learnt': { learnScales: false },
  'model: start not round': { startRound: 0 },
  'model: start all round': { startRound: 1 },
  'model: 8 start trials': { start: 8 },
  'model: 12 start trials': { start: 12 },
  'model: 20 start trials': { start: 20 },
  'model: 2000 candidates': { candidates: 2000 },
};

/** Random search is known in closed form, and an exhaustive one is no search. */
export const CONTENDERS = SAMPLER_NAMES.filter((name) => name !== 'random' && name !== 'exhaustive');

/** `name` is a sampler, an ablation, or `model` with settings as JSON. */
export function createContender(name: string, options: SamplerOptions): Sampler {
  const changed = ABLATIONS[name] ?? (name.startsWith('model{') ? parseSettings(name.slice(5)) : undefined);
  if (changed === undefined) return createSampler(name, options);
  const settings = { ...MODEL_SETTINGS, ...changed, prior: { ...MODEL_SETTINGS.prior, ...changed.prior } };
  return new StrategySampler(options, (history) => new ModelStrategy(history, options, settings));
}

function parseSettings(json: string): Partial<ModelSettings> {
  return JSON.parse(json) as Partial<ModelSettings>;
}
