import type { CaseEstimate } from '../model/judge/comparison.ts';
import type { Shift } from '../stats/yuen.ts';
import { shiftStandardError } from '../stats/yuen.ts';
import { estimateShift, noiseIsMeasured } from './estimate-shift.ts';
import type { Locations, ProcessSummary } from './process-summary.ts';

/** Everything about the change of one case that does not depend on the other cases or on the policy. */
export interface CaseShifts {
  readonly level: CaseEstimate['level'];
  readonly noise: CaseEstimate['noise'];
  readonly processes: readonly [number, number];
  /** What the verdict rests on: the shift of the chosen level. */
  readonly shift: Shift;
  readonly median: Shift;
  readonly tail: Shift | undefined;
  /** The chosen level and the median, in clock cycles. */
  readonly cycles: { readonly shift: Shift; readonly median: Shift } | undefined;
  /** Whether the sides were measured in turns: a clock that differs is then the kernels' own. */
  readonly inTurns: boolean;
}

/** The median is taken as the level when it varies less than this part of what the fastest tenth does. */
const MEDIAN_IF_STEADIER_BY = 0.5;

export function estimateCase(
  baseline: readonly ProcessSummary[],
  candidate: readonly ProcessSummary[],
  inTurns = false,
): CaseShifts {
  const time = sides(baseline, candidate, (one) => one.time);
  const cycles = sides(baseline, candidate, (one) => one.cycles);
  const median = shiftOf(time!, (one) => one.median)!;
  const fastest = shiftOf(time!, (one) => one.fastest);
  const level = fastest === undefined || isMuchSteadier(median, fastest) ? 'median' : 'fastest-tenth';
  return {
    level,
    noise: noiseIsMeasured(baseline.length, candidate.length) ? 'measured' : 'assumed',
    processes: [baseline.length, candidate.length],
    shift: level === 'median' ? median : fastest!,
    median,
    tail: shiftOf(time!, (one) => one.tail),
    cycles: cycles === undefined ? undefined : cycleShifts(cycles, level),
    inTurns,
  };
}

/**
 * Looks at spreads within each side only, so the choice cannot favour a verdict. A factor of two keeps it from
 * being made by chance, which would make the spread look smaller than it is.
 */
function isMuchSteadier(median: Shift, fastest: Shift): boolean {
  return shiftStandardError(median) < MEDIAN_IF_STEADIER_BY * shiftStandardError(fastest);
}

type Sides = readonly [readonly Locations[], readonly Locations[]];

function sides(
  baseline: readonly ProcessSummary[],
  candidate: readonly ProcessSummary[],
  pick: (one: ProcessSummary) => Locations | undefined,
): Sides | undefined {
  const first = allOf(baseline, pick);
  const second = allOf(candidate, pick);
  return first === undefined || second === undefined ? undefined : [first, second];
}

function shiftOf(
  [baseline, candidate]: Sides,
  pick: (one: Locations) => number | undefined,
): Shift | undefined {
  const first = allOf(baseline, pick);
  const second = allOf(candidate, pick);
  return first === undefined || second === undefined ? undefined : estimateShift(first, second);
}

function cycleShifts(cycles: Sides, level: CaseShifts['level']): CaseShifts['cycles'] {
  const median = shiftOf(cycles, (one) => one.median)!;
  return { median, shift: level === 'median' ? median : shiftOf(cycles, (one) => one.fastest)! };
}

function allOf<In, Out>(items: readonly In[], pick: (item: In) => Out | undefined): Out[] | undefined {
  const picked: Out[] = [];
  for (const item of items) {
    const value = pick(item);
    if (value === undefined) return undefined;
    picked.push(value);
  }
  return picked;
}
