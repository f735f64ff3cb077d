/** Without a schema library: the dashboard loads this. */
import type { MeasuredOutcome, Trial } from './study.ts';

/** A trial that was measured, with its outcome at hand. */
export interface MeasuredTrial {
  readonly trial: Trial;
  readonly outcome: MeasuredOutcome;
}

/** The trials that were measured, fastest first; of equal ones the earlier first. */
export function measuredTrials(trials: readonly Trial[]): MeasuredTrial[] {
  return trials
    .flatMap((trial) => (trial.outcome?.status === 'measured' ? [{ trial, outcome: trial.outcome }] : []))
    .toSorted((one, other) => one.outcome.time_ms - other.outcome.time_ms);
}
