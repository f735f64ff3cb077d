import type { Shift } from '../stats/yuen.ts';
import { normalQuantile } from '../stats/normal.ts';
import { studentTQuantile } from '../stats/student-t.ts';
import { shiftStandardError } from '../stats/yuen.ts';
import { trimmedShare } from './estimate-shift.ts';

/** With fewer, the spread of processes is anybody's guess; the default of `pawl bench`. */
export const PROCESSES_TO_START = 5;

/** Beyond this, asking for more processes is not useful advice. */
const MOST_PROCESSES = 500;

/** The customary chance that the advice suffices (Cohen, "Statistical Power Analysis", 2nd ed., 1988, section 2.4). */
const POWER = 0.8;

/**
 * Processes a side with which a change as far from the limit as `margin` would probably be told from it, if they
 * differ as these did: the smallest k with (t + z) · sd · √(2/k) ≤ margin, t being Student's quantile for what k
 * trimmed processes leave and z the normal one for the power (Cohen, chapter 2). Nothing where not even 500 would do.
 */
export function neededProcesses(
  shift: Shift,
  processes: readonly [number, number],
  margin: number,
  tail: number,
): number | undefined {
  const [baseline, candidate] = processes;
  const sd = shiftStandardError(shift) / Math.sqrt(1 / baseline + 1 / candidate);
  const suffices = (count: number): boolean => {
    const kept = count - 2 * Math.floor(trimmedShare(count, count) * count);
    const quantile = studentTQuantile(1 - tail, 2 * (kept - 1)) + normalQuantile(POWER);
    return quantile * sd * Math.sqrt(2 / count) <= margin;
  };
  let enough = MOST_PROCESSES;
  if (!suffices(enough)) return undefined;
  let tooFew = Math.max(Math.min(baseline, candidate), 2);
  while (enough - tooFew > 1) {
    const middle = (enough + tooFew) >> 1;
    if (suffices(middle)) enough = middle;
    else tooFew = middle;
  }
  return enough;
}
