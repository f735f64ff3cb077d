import { measuredTrials, type Trial } from '../../model/study.ts';
import { median } from '../../stats/index.ts';

/** Built variants that wait, so that the device has the next one whatever the builds do. */
const WAITING = 2;
/** Until this many were measured nobody knows how long things take; the start does not depend on results anyhow. */
const ENOUGH_MEASURED = 5;

/**
 * How many variants to have under way besides the one that is measured: as many as are built while one is measured,
 * and two. More would be proposed in ignorance of what is just being learnt.
 */
export function lookAhead(trials: readonly Trial[], jobs: number): number {
  const measured_s = trials.flatMap(({ measure_s }) => measure_s ?? []);
  const built_s = trials.flatMap(({ build_s }) => build_s ?? []);
  if (measuredTrials(trials).length < ENOUGH_MEASURED || measured_s.length === 0) return jobs + WAITING;
  const needed = built_s.length === 0 ? 0 : Math.ceil(median(built_s) / Math.max(0.01, median(measured_s)));
  return Math.min(jobs, Math.max(1, needed)) + WAITING;
}
