import { measuredTrials, type MeasuredTrial } from '../../model/tune/measured-trials.ts';
import type { Trial } from '../../model/tune/study.ts';

/** The default's trial, where it was measured. */
export function measuredDefault(trials: readonly Trial[]): MeasuredTrial | undefined {
  return measuredTrials(trials).find(({ trial }) => trial.phase === 'default');
}

/**
 * The fastest variants that are worth measuring against the default: measured to the end, faster than it, and each
 * another program.
 */
export function finalists(trials: readonly Trial[], count: number): MeasuredTrial[] {
  const start = measuredDefault(trials);
  if (start === undefined) return [];
  const seen = new Set<string>(start.trial.binary === undefined ? [] : [start.trial.binary]);
  const chosen: MeasuredTrial[] = [];
  for (const one of measuredTrials(trials)) {
    if (chosen.length >= count) break;
    const { trial, outcome } = one;
    if (trial === start.trial || outcome.stopped_early || outcome.time_ms >= start.outcome.time_ms) continue;
    if (trial.binary !== undefined) {
      if (seen.has(trial.binary)) continue;
      seen.add(trial.binary);
    }
    chosen.push(one);
  }
  return chosen;
}
