import type { Trial } from '../../model/tune/study.ts';
import type { Sampler } from '../samplers/sampler.ts';
import { pointKey, type Point, type Space } from '../space/space.ts';
import type { Proposal } from './trial-ledger.ts';

/** What to try next, given every trial so far by any worker. */
export interface ProposalSource {
  /** Undefined: there is nothing left to propose. A proposal that is in the study already is asked past. */
  next(trials: readonly Trial[]): Proposal | undefined;
}

export interface SamplerSourceOptions {
  readonly space: Space;
  readonly sampler: Sampler;
  /** Proposed before the sampler is asked: a default that breaks a constraint is tried anyway, and rejected. */
  readonly outside?: readonly Proposal[];
  /** Why a point was put first; any other is the sampler's own choice. */
  readonly phases: ReadonlyMap<string, Trial['phase']>;
  /** Up to this many trials the sampler spreads its proposals out, and does not yet look at results. Default 0. */
  readonly spread?: number;
}

/** A sampler that is told of trials in the order of their numbers as they come in, and asked for the next. */
export class SamplerSource implements ProposalSource {
  readonly #options: SamplerSourceOptions;
  readonly #outside: Proposal[];
  readonly #told = new Set<number>();

  constructor(options: SamplerSourceOptions) {
    this.#options = options;
    this.#outside = [...(options.outside ?? [])];
  }

  next(trials: readonly Trial[]): Proposal | undefined {
    this.#tell(trials);
    const outside = this.#outside.shift();
    if (outside !== undefined) return outside;
    const { sampler, space, phases, spread = 0 } = this.#options;
    const point = sampler.ask();
    if (point === undefined) return undefined;
    const own = trials.length < spread ? 'start' : 'search';
    return { variant: space.variantOf(point), phase: phases.get(pointKey(point)) ?? own };
  }

  #tell(trials: readonly Trial[]): void {
    const { space, sampler } = this.#options;
    for (const { number, variant, outcome } of trials) {
      if (outcome === undefined || this.#told.has(number)) continue;
      this.#told.add(number);
      const point: Point | undefined = space.pointOf(variant);
      if (point === undefined) continue;
      sampler.tell(
        point,
        outcome.status === 'measured' ? { time_ms: outcome.time_ms } : { rejected: outcome.reason },
      );
    }
  }
}
