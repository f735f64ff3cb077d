import type { Sampler } from '../samplers/sampler.ts';
import type { Replay } from './listed-space.ts';

export interface SimulatedSearch {
  readonly failed: number;
  /** For each trial, the best time so far; undefined before the first. */
  readonly best_ms: readonly (number | undefined)[];
}

/** Lets a sampler search a recorded space, one trial after the other: a look-up stands for building and measuring. */
export function simulate({ space, times_ms }: Replay, sampler: Sampler, trials: number): SimulatedSearch {
  const best_ms: (number | undefined)[] = [];
  let best: number | undefined;
  let failed = 0;
  for (let trial = 1; trial <= trials; trial++) {
    const point = sampler.ask();
    if (point === undefined) break;
    const index = space.indexOf(point);
    if (index === undefined)
      throw new Error(`the sampler proposed ${point.join(',')}, which is not feasible`);
    const time_ms = times_ms[index];
    if (time_ms === undefined) {
      failed++;
      sampler.tell(point, { rejected: 'run_failed' });
    } else {
      best = Math.min(best ?? Infinity, time_ms);
      sampler.tell(point, { time_ms });
    }
    best_ms.push(best);
  }
  return { failed, best_ms };
}
