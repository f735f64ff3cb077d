import { Xoshiro128 } from '../../stats/random.ts';
import type { Point } from '../space/space.ts';
import { History } from './history.ts';
import type { Outcome, Sampler, SamplerOptions } from './sampler.ts';

/** A way of searching. It reads the study's history and has the next idea; keeping the books is not its business. */
export interface Strategy {
  /** A point to try next. Undefined, a point seen before or an infeasible one: a random point is tried instead. */
  propose(): Point | undefined;
}

/** A strategy as a sampler: what must be proposed first, nothing twice, nothing infeasible, and no end too early. */
export class StrategySampler implements Sampler {
  readonly #history: History;
  readonly #strategy: Strategy;
  readonly #first: Point[];

  constructor(
    options: SamplerOptions,
    makeStrategy: (history: History, options: SamplerOptions) => Strategy,
  ) {
    this.#history = new History(options.space, new Xoshiro128(options.seed));
    this.#strategy = makeStrategy(this.#history, options);
    this.#first = [...(options.first ?? [])];
  }

  ask(): Point | undefined {
    const point = this.#nextFirst() ?? this.#idea() ?? this.#history.drawUnseen();
    if (point !== undefined) this.#history.propose(point);
    return point;
  }

  tell(point: Point, outcome: Outcome): void {
    this.#history.tell(point, outcome);
  }

  #nextFirst(): Point | undefined {
    for (let point = this.#first.shift(); point !== undefined; point = this.#first.shift()) {
      if (this.#isNew(point)) return point;
    }
    return undefined;
  }

  #idea(): Point | undefined {
    const point = this.#strategy.propose();
    return point !== undefined && this.#isNew(point) ? point : undefined;
  }

  #isNew(point: Point): boolean {
    return !this.#history.isSeen(point) && this.#history.space.contains(point);
  }
}
