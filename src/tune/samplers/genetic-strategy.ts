import { nextBelow } from '../../stats/random.ts';
import type { Point } from '../space/space.ts';
import type { History, Observation } from './history.ts';
import type { SamplerOptions } from './sampler.ts';
import type { Strategy } from './strategy.ts';

/** Fits budgets of about a hundred: a quarter of it as founders, at most. */
const POPULATION = 20;
/** Parents are the better of this many members drawn. */
const TOURNAMENT = 2;
/** Children bred in one ask before a neighbour or a stranger is taken. */
const ATTEMPTS = 50;

/** A steady-state genetic algorithm: uniform crossover of two parents from the best so far, one mutation on average. */
export class GeneticStrategy implements Strategy {
  readonly #history: History;
  readonly #founders: number;

  constructor(history: History, { trials }: SamplerOptions) {
    this.#history = history;
    this.#founders = Math.max(2, Math.min(POPULATION, Math.floor(trials / 4)));
  }

  propose(): Point | undefined {
    const { measured, count } = this.#history;
    if (count < this.#founders || measured.length < 2) return undefined;
    const population = [...measured].sort((one, other) => one.time_ms - other.time_ms).slice(0, POPULATION);
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const child = this.#mutate(this.#cross(this.#parent(population), this.#parent(population)));
      if (!this.#history.isSeen(child) && this.#history.space.contains(child)) return child;
    }
    return this.#neighbourOf(population);
  }

  #parent(population: readonly Observation[]): Point {
    let best = population.length;
    for (let draw = 0; draw < TOURNAMENT; draw++) {
      best = Math.min(best, nextBelow(this.#history.random, population.length));
    }
    return population[best]!.point;
  }

  #cross(one: Point, other: Point): Point {
    return one.map((value, at) => (this.#history.random.nextOpen() < 0.5 ? value : other[at]!));
  }

  #mutate(point: Point): Point {
    const { random, space } = this.#history;
    const free = space.parameters.filter(({ values }) => values.length > 1).length;
    return point.map((value, at) => {
      const { length } = space.parameters[at]!.values;
      return length > 1 && random.nextOpen() < 1 / free ? nextBelow(random, length) : value;
    });
  }

  /** Where constraints leave crossover no child: something near the best that is new. */
  #neighbourOf(population: readonly Observation[]): Point | undefined {
    for (const { point } of population) {
      const fresh = this.#history.space.neighbours(point, 'any').filter((one) => !this.#history.isSeen(one));
      if (fresh.length > 0) return fresh[nextBelow(this.#history.random, fresh.length)];
    }
    return undefined;
  }
}
