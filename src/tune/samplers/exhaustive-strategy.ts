import { PawlError } from '../../model/pawl-error.ts';
import type { Point } from '../space/space.ts';
import type { History } from './history.ts';
import type { Strategy } from './strategy.ts';

/** Every feasible point, in the space's own order. */
export class ExhaustiveStrategy implements Strategy {
  readonly #history: History;
  readonly #points: readonly Point[];
  #next = 0;

  constructor(history: History) {
    this.#history = history;
    const points = history.space.all();
    if (points === undefined) {
      throw new PawlError(
        'usage',
        'The space has too many variants to try every one',
        'Choose another sampler, or narrow the space with constraints.',
      );
    }
    this.#points = points;
  }

  propose(): Point | undefined {
    for (; this.#next < this.#points.length; this.#next++) {
      const point = this.#points[this.#next]!;
      if (!this.#history.isSeen(point)) return point;
    }
    return undefined;
  }
}
