import { changePct } from '../../model/text/change-pct.ts';
import type {
  NewestPoint,
  Trend,
  TrendChange,
  TrendMark,
  TrendPoint,
  TrendSetting,
} from '../../model/history/history.ts';
import { levelShifts, type LevelShift, type LevelShifts } from '../../stats/level-shifts.ts';
import { INTERVAL_ERRORS } from './interval-errors.ts';
import { pointMarks } from './trend-marks.ts';
import { newestPoint } from './newest-point.ts';
import { machineSetting, settingChanges } from './setting-changes.ts';

export interface FindChangesOptions {
  /** The chance, at most, of any change in the trend of a key that has none. Default 0.01. */
  readonly maxP?: number;
  /** Steps smaller than this are left out: on thousands of commits a tenth of a percent is shown, too. Default 0.5. */
  readonly leastPct?: number;
  /** What the points were measured under. */
  readonly settings?: readonly TrendSetting[];
}

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

/** What a trend comes to: its changes, and what alternates without being one. */
export type TrendFindings = Pick<Trend, 'modes' | 'host_offsets'> & {
  readonly changes: readonly TrendChange[];
  readonly newest?: NewestPoint;
  /** New settings and confirmed changes. */
  readonly marks?: readonly TrendMark[];
};

/** Hosts that take turns are told apart, and two modes are called that; neither is a change. */
export function describeTrend(
  all: readonly TrendPoint[],
  { maxP = 0.01, leastPct = LEAST_PCT, settings = [] }: FindChangesOptions = {},
): TrendFindings {
  const points = withoutRepeats(all);
  if (points.length === 0) return { changes: [] };
  const groups = groupsOf(points, settings);
  const isOnSeveral = new Set(groups).size > 1;
  const found = levelShifts(
    points.map(({ level_ms }) => Math.log(level_ms)),
    points.map(({ ci_ms: [low, high] }) => Math.log(high / low) / INTERVAL_ERRORS),
    { maxP, minSize: Math.log1p(leastPct / 100), ...(isOnSeveral ? { groups } : {}) },
  );
  const newest = newestOf(points, groups, found, settings);
  const { shifts, modes, offsets } = found;
  const marks = pointMarks(all, settings);
  return {
    changes: shifts.map((shift) => describe(shift, points, offsets, settings)),
    ...(newest === undefined ? {} : { newest }),
    ...(marks.length === 0 ? {} : { marks }),
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

/** Where what the hosts differ by is not known, that is said, as of changes. */
function newestOf(
  points: readonly TrendPoint[],
  groups: readonly (string | undefined)[],
  found: LevelShifts,
  settings: readonly TrendSetting[],
): NewestPoint | undefined {
  const newest = newestPoint(points, groups, found, settings);
  const [before, after] = points.slice(-2);
  if (newest === undefined || before === undefined || after === undefined) return undefined;
  return { ...newest, ...hostsOf(before, after, found.offsets) };
}

/** Changes of the machine's setting before it counts as alternating: as for hosts, six pairs of neighbours. */
const LEAST_TURNS = 6;

/**
 * Where each point is from: its host, and the driver and clocks where those take turns, as of a team of which some lock
 * the clocks. A driver that follows another for good stays in the level, and is a step with the driver's name.
 */
function groupsOf(
  points: readonly TrendPoint[],
  settings: readonly TrendSetting[],
): readonly (string | undefined)[] {
  const under = points.map(({ setting }) => machineSetting(settings[setting ?? -1]));
  const turns = under.filter((text, at) => at > 0 && text !== under[at - 1]).length;
  if (turns < LEAST_TURNS) return points.map(({ host }) => host);
  return points.map(({ host }, at) => {
    const parts = [host ?? '', under[at]!].filter((part) => part !== '');
    return parts.length === 0 ? undefined : parts.join(', ');
  });
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
  settings: readonly TrendSetting[],
): TrendChange {
  const after = points[shift.last]!;
  const before = points[shift.kind === 'step' ? shift.index - 1 : shift.index]!;
  const other = settingChanges(settings[before.setting ?? -1], settings[after.setting ?? -1]);
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
    ...(other.length === 0 ? {} : { settings: other }),
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
