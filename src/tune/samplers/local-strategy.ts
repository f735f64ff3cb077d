import { nextBelow } from '../../stats/random.ts';
import { pointKey } from '../space/space.ts';
import type { Point } from '../space/space.ts';
import type { History, Observation } from './history.ts';
import type { SamplerOptions } from './sampler.ts';
import type { Strategy } from './strategy.ts';

/** Random trials that a first descent starts from the best of. */
const STARTS = 10;
/** Parameters changed at once to leave a local optimum. */
const KICK = 3;
/** Kicks tried in one ask. */
const ATTEMPTS = 20;
/** Share of restarts that go to a stranger and not to a kicked best point. */
const STRANGERS = 0.5;
/** Trials in a row, for each tunable, that a descent goes without getting better. */
const PATIENCE = 1.5;

/**
 * Iterated local search: descends by trying the neighbours of where it stands, one step of an ordered parameter first
 * and any change of one parameter then; where that has not helped for a while it restarts at the best point with some parameters
 * changed (Lourenço, Martin & Stützle, "Iterated local search", 2003). What was tried is never tried again, which makes
 * every visited point tabu.
 */
export class LocalStrategy implements Strategy {
  readonly #history: History;
  readonly #starts: number;
  #here: Observation | undefined;
  #read = 0;
  /** The restart under way: where it ends, the next descent starts, better or not. */
  #kicked: string | undefined;
  readonly #patience: number;
  #idle = 0;

  constructor(history: History, { trials }: SamplerOptions) {
    this.#history = history;
    this.#starts = Math.max(1, Math.min(STARTS, Math.floor(trials / 4)));
    const free = history.space.parameters.filter(({ values }) => values.length > 1).length;
    this.#patience = Math.ceil(PATIENCE * free);
  }

  propose(): Point | undefined {
    this.#follow();
    if (this.#history.count < this.#starts || this.#here === undefined) return undefined;
    if (this.#idle < this.#patience) {
      const { point } = this.#here;
      const step = this.#freshNeighbour(point, 'step') ?? this.#freshNeighbour(point, 'any');
      if (step !== undefined) return step;
    }
    const restart = this.#kick() ?? this.#history.drawUnseen();
    this.#kicked = restart === undefined ? undefined : pointKey(restart);
    return restart;
  }

  #follow(): void {
    const { measured } = this.#history;
    for (; this.#read < measured.length; this.#read++) {
      const observation = measured[this.#read]!;
      const isRestart = this.#kicked !== undefined && pointKey(observation.point) === this.#kicked;
      if (isRestart) this.#kicked = undefined;
      if (isRestart || this.#here === undefined || observation.time_ms < this.#here.time_ms) {
        this.#here = observation;
        this.#idle = 0;
      } else this.#idle++;
    }
  }

  #freshNeighbour(point: Point, reach: 'step' | 'any'): Point | undefined {
    const fresh = this.#history.space.neighbours(point, reach).filter((one) => !this.#history.isSeen(one));
    return fresh.length === 0 ? undefined : fresh[nextBelow(this.#history.random, fresh.length)];
  }

  #kick(): Point | undefined {
    const { space, random, measured } = this.#history;
    if (random.nextOpen() < STRANGERS) return undefined;
    const best = measured.reduce((one, other) => (other.time_ms < one.time_ms ? other : one));
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      let point = best.point;
      for (let change = 0; change < KICK; change++) {
        const near = space.neighbours(point, 'any');
        if (near.length > 0) point = near[nextBelow(random, near.length)]!;
      }
      if (!this.#history.isSeen(point)) return point;
    }
    return undefined;
  }
}
