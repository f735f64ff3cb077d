import type { Strategy } from './strategy.ts';

/** Uniform draws from the feasible set, without repeats: what every other sampler has to beat. */
export class RandomStrategy implements Strategy {
  propose(): undefined {
    return undefined;
  }
}
