import type { Point, Space } from '../space/space.ts';

/** What came of a trial. A rejected one has no time: a made-up large one would ruin a model. */
export type Outcome = { readonly time_ms: number } | { readonly rejected: string };

/** What proposes the next variants of a study. The same seed and the same calls give the same proposals. */
export interface Sampler {
  /**
   * A feasible point that was neither proposed nor told of before; undefined when there is none left. Points
   * proposed and not yet told of are pending: asking again is how trials run in parallel.
   */
  ask(): Point | undefined;
  /** The outcome of a point, also of one that this sampler never proposed (an earlier run, another worker). */
  tell(point: Point, outcome: Outcome): void;
}

export interface SamplerOptions {
  readonly space: Space;
  readonly seed: number;
  /** Trials that the study is going to spend, those already told of included: some samplers pace themselves. */
  readonly trials: number;
  /** To be proposed first, best first: the default variant, winners of earlier studies. */
  readonly first?: readonly Point[];
}
