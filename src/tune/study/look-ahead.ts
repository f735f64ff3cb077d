import { measuredTrials } from '../../model/tune/measured-trials.ts';
import type { Trial } from '../../model/tune/study.ts';
import { median } from '../../stats/index.ts';

/** Built variants that wait, so that the device has the next one whatever the builds do. */
const WAITING = 2;
/** Until this many were measured, durations are not known; the start does not depend on results anyhow. */
const ENOUGH_MEASURED = 5;
/** Latest built trials that tell how many of those under way will come to the device. */
const LATEST = 30;

/**
 * How many variants to have under way besides the one that is measured: as many as must be built while one is measured
 * for another to come through, and two. More would be proposed in ignorance of what is just being learnt.
 */
export function lookAhead(trials: readonly Trial[], jobs: number): number {
  const measured_s = trials.flatMap(({ measure_s }) => measure_s ?? []);
  const built_s = trials.flatMap(({ build_s }) => build_s ?? []);
  if (measuredTrials(trials).length < ENOUGH_MEASURED || measured_s.length === 0) return jobs + WAITING;
  const builds = built_s.length === 0 ? 0 : median(built_s) / Math.max(0.01, median(measured_s));
  return Math.min(jobs, Math.max(1, Math.ceil(builds / shareMeasured(trials)))) + WAITING;
}

/** Of the latest that were built, the share that the device had to measure: gates reject, and twins are not measured. */
function shareMeasured(trials: readonly Trial[]): number {
  const built = trials
    .filter(({ outcome, build_s }) => outcome !== undefined && build_s !== undefined)
    .slice(-LATEST);
  const measured = built.filter(({ measure_s }) => measure_s !== undefined).length;
  return Math.max(1, measured) / Math.max(1, built.length);
}
