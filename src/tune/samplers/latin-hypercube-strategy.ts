import type { Point } from '../space/space.ts';
import type { History } from './history.ts';
import { latinHypercube } from './latin-hypercube.ts';
import type { SamplerOptions } from './sampler.ts';
import type { Strategy } from './strategy.ts';

/** Trials of the design; what comes after it is drawn at random. */
const DESIGN_TRIALS = 20;

export class LatinHypercubeStrategy implements Strategy {
  readonly #history: History;
  readonly #count: number;
  #design: Point[] | undefined;

  constructor(history: History, { trials }: SamplerOptions) {
    this.#history = history;
    this.#count = Math.max(1, Math.min(DESIGN_TRIALS, trials));
  }

  propose(): Point | undefined {
    this.#design ??= latinHypercube(this.#history.space, this.#count, this.#history.random);
    for (let point = this.#design.shift(); point !== undefined; point = this.#design.shift()) {
      if (!this.#history.isSeen(point)) return point;
    }
    return undefined;
  }
}
