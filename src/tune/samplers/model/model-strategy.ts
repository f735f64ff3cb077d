import type { Point } from '../../space/space.ts';
import type { History } from '../history.ts';
import type { SamplerOptions } from '../sampler.ts';
import type { Strategy } from '../strategy.ts';
import { Predictor } from './predictor.ts';
import { MODEL_SETTINGS } from './settings.ts';
import type { ModelSettings } from './settings.ts';
import { StartDesign } from './start-design.ts';

/** Points that show a space's ranges. */
const REFERENCE = 1000;
/** A model needs at least this many times. */
const LEAST_MEASURED = 2;

/**
 * Bayesian optimisation for small, discrete, constrained spaces: a few points spread over the feasible set, and then
 * always the candidate with the greatest expected improvement, as a Gaussian process predicts it, times how likely it
 * is to run. docs/samplers.md says what each part is worth.
 */
export class ModelStrategy implements Strategy {
  readonly #history: History;
  readonly #settings: ModelSettings;
  readonly #start: number;
  readonly #design: StartDesign;
  #predictors: readonly Predictor[] | undefined;
  #asks = 0;

  constructor(history: History, { trials }: SamplerOptions, settings: ModelSettings = MODEL_SETTINGS) {
    this.#history = history;
    this.#settings = settings;
    // A third of a small budget at most.
    this.#start = Math.max(LEAST_MEASURED, Math.min(settings.start, Math.ceil(trials / 3)));
    this.#design = new StartDesign(history, this.#start, settings);
  }

  propose(): Point | undefined {
    const { measured, count, space } = this.#history;
    if (space.parameters.every(({ values }) => values.length < 2)) return undefined;
    if (count < this.#start || measured.length < LEAST_MEASURED) return this.#design.next();
    this.#predictors ??= this.#makePredictors();
    return this.#predictors[this.#asks++ % this.#predictors.length]!.best();
  }

  #makePredictors(): Predictor[] {
    const { space, random } = this.#history;
    const reference = space.sample(REFERENCE, random);
    return this.#settings.views.map((view) => new Predictor(this.#history, reference, this.#settings, view));
  }
}
