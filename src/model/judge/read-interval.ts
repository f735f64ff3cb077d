/** The one rule by which an interval becomes a verdict (docs/statistics.md). */
import type { MeasuredVerdict } from './verdict.ts';

/** Where the true shift may lie, on the scale of logarithms: positive is slower. */
export interface ShiftInterval {
  readonly estimate: number;
  /** Read to say that something changed: but for the chance of a false alarm, the shift is above and below these. */
  readonly low: number;
  readonly high: number;
  /** Read to say that a slowdown was excluded: but for the chance of a miss, the shift is below this. */
  readonly slowest: number;
}

/** On the scale of logarithms. */
export interface IntervalLimits {
  /** What a slowdown between nothing and the threshold is: allowed, or a difference. */
  readonly question: 'gate' | 'tell-apart';
  readonly slowdown: number;
  readonly gain: number;
}

/**
 * A gate passes what is shown to be below its threshold and fails what is shown to be slower and may reach it.
 *
 * To tell two apart, half the threshold is the watershed, because it makes the two errors alike: an estimate nearer to
 * the threshold than to nothing needs to exclude nothing, one nearer to nothing needs to exclude the threshold. Half of
 * a gain is its watershed for either question: a false gain does little harm.
 *
 * An interval that is narrower than the threshold always decides.
 */
export function readInterval(interval: ShiftInterval, limits: IntervalLimits): MeasuredVerdict {
  const { estimate, low, high, slowest } = interval;
  if (high < 0 && estimate < -limits.gain / 2) return 'improved';
  const isNearer = limits.question === 'tell-apart' && estimate > limits.slowdown / 2;
  if (slowest < limits.slowdown && !isNearer) return 'maintained';
  return low > 0 && (limits.question === 'gate' || isNearer) ? 'regressed' : 'undecided';
}
