import { changePct } from '../../model/change-pct.ts';
import type { TrendChange, TrendPoint } from '../../model/history.ts';
import { levelShifts, type LevelShift } from '../../stats/level-shifts.ts';

export interface FindChangesOptions {
  /** The chance, at most, of any change in the trend of a key that has none. Default 0.01. */
  readonly maxP?: number;
  /** Steps smaller than this are left out: on thousands of commits a tenth of a percent is shown, too. Default 0.5. */
  readonly leastPct?: number;
}

/** What a point's own 95 % interval is taken to span: 2 · 1.96 standard errors. */
export const INTERVAL_ERRORS = 3.92;
export const LEAST_PCT = 0.5;
/** A baseline keeps six digits of a time. */
const COPY_ERROR = 1e-5;

/**
 * The steps and creeps of a key's trend, oldest first (docs/trends.md). A step is blamed on its first commit; commits
 * between it and the one before that were never measured are suspects too.
 */
export function findChanges(
  all: readonly TrendPoint[],
  { maxP = 0.01, leastPct = LEAST_PCT }: FindChangesOptions = {},
): TrendChange[] {
  const points = withoutRepeats(all);
  if (points.length === 0) return [];
  const { shifts } = levelShifts(
    points.map(({ level_ms }) => Math.log(level_ms)),
    points.map(({ ci_ms: [low, high] }) => Math.log(high / low) / INTERVAL_ERRORS),
    { maxP, minSize: Math.log1p(leastPct / 100) },
  );
  return shifts.map((shift) => describe(shift, points));
}

/** A carried level beside the one it is a copy of says nothing new, and many of them hide a step. */
function withoutRepeats(points: readonly TrendPoint[]): TrendPoint[] {
  const told: TrendPoint[] = [];
  for (const point of points) {
    const before = told.at(-1);
    const isRepeat =
      point.carried === true &&
      before !== undefined &&
      Math.abs(Math.log(point.level_ms / before.level_ms)) < COPY_ERROR;
    if (!isRepeat) told.push(point);
  }
  return told;
}

function describe(shift: LevelShift, points: readonly TrendPoint[]): TrendChange {
  const after = points[shift.last]!;
  const before = points[shift.kind === 'step' ? shift.index - 1 : shift.index]!;
  return {
    kind: shift.kind,
    commit: after.commit,
    previous_commit: before.commit,
    time: after.time,
    change_pct: percentOf(shift.size),
    // Slower is a larger logarithm and a smaller percentage.
    ci_pct: [percentOf(shift.high), percentOf(shift.low)],
    p: shift.p,
    ...hostsOf(before, after),
  };
}

function hostsOf(before: TrendPoint, after: TrendPoint): Pick<TrendChange, 'hosts'> {
  if (before.host === undefined || after.host === undefined || before.host === after.host) return {};
  return { hosts: { before: before.host, after: after.host } };
}

function percentOf(logarithm: number): number {
  return changePct(1, Math.exp(logarithm));
}
