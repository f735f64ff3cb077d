import type { Simulation } from '../model/tune/simulation.ts';
import { plainText } from './text/plain-text.ts';
import { timeText } from './text/units.ts';

/** Trials at which people compare samplers. */
const SHOWN = [20, 50, 100, 120, 220];

/** A replayed search in a few lines: how near to the optimum it was when. */
export function renderSimulation({
  space,
  sampler,
  seed,
  trials,
  failed,
  best_ms,
  optimum_ms,
  trajectory,
}: Simulation): string {
  const ratio = (time_ms: number | null | undefined): string =>
    time_ms === null || time_ms === undefined
      ? 'nothing yet'
      : `${(time_ms / optimum_ms).toFixed(3)}× the optimum`;
  const rows = SHOWN.filter((trial) => trial < trials).map(
    (trial) => `  after ${String(trial).padStart(3)}  ${ratio(trajectory[trial - 1]?.[1])}`,
  );
  return [
    `${plainText(space)} · ${sampler} · seed ${seed}`,
    ...rows,
    `  after ${String(trials).padStart(3)}  ${ratio(best_ms)}${best_ms === null ? '' : ` (${timeText(best_ms)} against ${timeText(optimum_ms)})`}`,
    `  ${failed} trials had no time`,
  ].join('\n');
}
