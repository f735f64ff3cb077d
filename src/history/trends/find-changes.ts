import { changePct } from '../../model/change-pct.ts';
import type { Trend, TrendChange, TrendPoint } from '../../model/history.ts';
import { levelShifts, type LevelShift, type LevelShifts } from '../../stats/level-shifts.ts';

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
export function findChanges(all: readonly TrendPoint[], options: FindChangesOptions = {}): TrendChange[] {
  return [...describeTrend(all, options).changes];
}

/** What a trend comes to: its changes, and what goes to and fro without being one. */
export type TrendFindings = Pick<Trend, 'modes' | 'host_offsets'> & {
  readonly changes: readonly TrendChange[];
};

/** Hosts that take turns are told apart, and two modes are called that; neither is a change. */
export function describeTrend(
  all: readonly TrendPoint[],
  { maxP = 0.01, leastPct = LEAST_PCT }: FindChangesOptions = {},
): TrendFindings {
  const points = withoutRepeats(all);
  if (points.length === 0) return { changes: [] };
  const hosts = points.map(({ host }) => host);
  const isOnSeveral = new Set(hosts).size > 1;
  const { shifts, modes, offsets } = levelShifts(
    points.map(({ level_ms }) => Math.log(level_ms)),
    points.map(({ ci_ms: [low, high] }) => Math.log(high / low) / INTERVAL_ERRORS),
    { maxP, minSize: Math.log1p(leastPct / 100), ...(isOnSeveral ? { groups: hosts } : {}) },
  );
  return {
    changes: shifts.map((shift) => describe(shift, points, offsets)),
    ...(modes === undefined
      ? {}
      : {
          modes: {
            slower_by_pct: 100 * Math.expm1(modes.gap),
            slower_share_pct: 100 * modes.share,
            flips: modes.flips,
          },
        }),
    ...hostOffsets(offsets),
  };
}

/** Of hosts that took turns with the one that measured most; a host that only followed another has none. */
function hostOffsets(offsets: LevelShifts['offsets']): Pick<Trend, 'host_offsets'> {
  if (offsets === undefined || offsets.size < 2) return {};
  return {
    host_offsets: [...offsets].map(([host, offset]) => ({ host, slower_by_pct: 100 * Math.expm1(offset) })),
  };
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

function describe(
  shift: LevelShift,
  points: readonly TrendPoint[],
  offsets: LevelShifts['offsets'],
): TrendChange {
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
    ...hostsOf(before, after, offsets),
  };
}

/** Where what the hosts differ by is not known, and so is part of the change. */
function hostsOf(
  before: TrendPoint,
  after: TrendPoint,
  offsets: LevelShifts['offsets'],
): Pick<TrendChange, 'hosts'> {
  if (before.host === undefined || after.host === undefined || before.host === after.host) return {};
  if (offsets?.has(before.host) === true && offsets.has(after.host)) return {};
  return { hosts: { before: before.host, after: after.host } };
}

function percentOf(logarithm: number): number {
  return changePct(1, Math.exp(logarithm));
}
