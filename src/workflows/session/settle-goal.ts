import type { ParsedGoal } from '../../learn/session/parse-goal.ts';
import type { RunCost } from '../../model/cost.ts';
import { PawlError } from '../../model/pawl-error.ts';
import { bench } from '../bench.ts';
import type { Working } from './session-options.ts';

export interface SettledGoal {
  readonly speedup: number;
  readonly cost?: RunCost;
}

/** Enough to know a time to a few percent, which is all that a goal in round numbers means. */
const PROCESSES = 3;

/** A goal as a speed-up. A time is one only beside the reference's, so that is measured now. */
export async function settleGoal(
  goal: ParsedGoal,
  {
    kernel,
    case: caseName,
    config,
  }: { readonly kernel: string; readonly case: string; readonly config?: string },
  { signal, onProgress, wait_s, now }: Working,
): Promise<SettledGoal> {
  if (goal.kind === 'speedup') return { speedup: goal.speedup };
  const { report } = await bench({
    only: [kernel],
    cases: [caseName],
    processes: PROCESSES,
    ...(config === undefined ? {} : { config }),
    ...(signal === undefined ? {} : { signal }),
    ...(onProgress === undefined ? {} : { onProgress }),
    ...(wait_s === undefined ? {} : { wait_s }),
    ...(now === undefined ? {} : { now }),
  });
  const [measured] = report.measurements;
  const time_ms = measured !== undefined && 'median_ms' in measured ? measured.median_ms : undefined;
  if (time_ms === undefined || measured?.fault !== undefined) {
    throw new PawlError(
      'unavailable',
      `The goal is a time, and ${kernel} could not be measured at ${caseName} to say what speed-up that is: ${measured?.fault?.message ?? 'no series was taken'}.`,
      `Mend that first (pawl bench --only ${kernel} --case ${caseName}), or give the goal as a speed-up: --goal "1.2x on ${caseName}".`,
    );
  }
  const speedup = time_ms / goal.time_ms;
  onProgress?.({
    type: 'note',
    level: 'info',
    text: `${kernel} takes ${time_ms.toPrecision(4)} ms at ${caseName}: the goal is ${speedup.toFixed(2)}×`,
  });
  return { speedup, ...(report.cost === undefined ? {} : { cost: report.cost }) };
}
