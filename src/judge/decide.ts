import type { Shift } from '../stats/yuen.ts';
import { shiftHalfWidth } from '../stats/yuen.ts';
import type { CaseShifts } from './estimate-case.ts';
import type { Limits } from './judge-policy.ts';
import { readInterval, type ShiftInterval } from '../model/judge/read-interval.ts';
import type { MeasuredVerdict } from '../model/judge/verdict.ts';

export type Outcome = MeasuredVerdict;

/**
 * `level`: by the chosen level alone. `slower-median`: the level says nothing, but the median is slower beyond doubt.
 * `same-median`: the level gained, the median did not. `clock`: time changed, cycles did not. `cycles-unclear`:
 * time changed, and whether cycles did is open. `own-clock`: by the level, but cycles say something else, and the sides
 * were measured in turns. `launch-latency`: only the slower side's times contain the launch.
 */
type Basis =
  | 'level'
  | 'slower-median'
  | 'same-median'
  | 'clock'
  | 'cycles-unclear'
  | 'own-clock'
  | 'launch-latency';

export interface Decision {
  readonly outcome: Outcome;
  readonly basis: Basis;
}

/** `alpha` is two-sided: half of it lies beyond each end. */
export function intervalOf(shift: Shift, alpha: number, missTail: number): ShiftInterval {
  const estimate = shift.difference;
  const width = shiftHalfWidth(shift, alpha / 2);
  return {
    estimate,
    low: estimate - width,
    high: estimate + width,
    slowest: estimate + shiftHalfWidth(shift, missTail),
  };
}

/** `alpha` is the two-sided level this case's test is read at, `cases` how many are judged at once. */
export function decide(shifts: CaseShifts, limits: Limits, alpha: number, cases: number): Decision {
  const read = (shift: Shift): ShiftInterval => intervalOf(shift, alpha, limits.missTail);
  const byLevel = watchMedian(shifts, readInterval(read(shifts.shift), limits), limits, cases);
  if (shifts.cycles === undefined) return byLevel;
  const shift = byLevel.basis === 'slower-median' ? shifts.cycles.median : shifts.cycles.shift;
  const inCycles = readInterval(read(shift), limits);
  if (inCycles === byLevel.outcome) return byLevel;

  if (shifts.inTurns) {
    // The clock that a kernel gets at a power limit is part of how fast it is.
    const isClear = inCycles !== 'undecided' && byLevel.outcome !== 'undecided' && byLevel.basis === 'level';
    return isClear ? { ...byLevel, basis: 'own-clock' } : byLevel;
  }
  if (byLevel.outcome !== 'regressed' && byLevel.outcome !== 'improved') return byLevel;
  // Cycles confirm a change in time and never make one: a kernel that waits for memory takes more cycles on a
  // faster clock without being slower.
  if (inCycles === 'undecided') return { outcome: 'undecided', basis: 'cycles-unclear' };
  return { outcome: 'maintained', basis: 'clock' };
}

/** The fastest tenth is blind to what happens to the other samples; the median is not. */
function watchMedian(shifts: CaseShifts, outcome: Outcome, limits: Limits, cases: number): Decision {
  const { median } = shifts;
  if (shifts.level !== 'median') {
    const isPast = outcome !== 'regressed' && median.difference > limits.slowdown;
    if (isPast && median.difference > shiftHalfWidth(median, limits.medianTail / cases)) {
      return { outcome: 'regressed', basis: 'slower-median' };
    }
    if (outcome === 'improved' && excludesGain(median, limits)) {
      return { outcome: 'maintained', basis: 'same-median' };
    }
  }
  return { outcome, basis: 'level' };
}

function excludesGain(shift: Shift, limits: Limits): boolean {
  return shift.difference - shiftHalfWidth(shift, limits.missTail) > -limits.gain / 2;
}
