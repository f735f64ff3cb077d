import { JUDGE_DEFAULTS } from '../../judge/judge-policy.ts';
import { changePct } from '../../model/text/change-pct.ts';
import { defined } from '../../model/defined.ts';
import type { NewestPoint, TrendPoint, TrendSetting } from '../../model/history/history.ts';
import { LEAST_VALUES, type LevelShifts } from '../../stats/level-shifts.ts';
import { median } from '../../stats/quantile.ts';
import { studentTQuantile, studentTTwoSided } from '../../stats/student-t.ts';
import { INTERVAL_ERRORS } from './interval-errors.ts';
import { settingChanges } from './setting-changes.ts';

/** Every trend has a newest point, and many are looked at together: one in a thousand is said for nothing. */
const LEAST_P = 0.001;
/** Beside a point that is off, at most this many of the level before it are looked at. */
const MOST_BEFORE = 30;

/**
 * The newest point, where it lies further off the level before it than noise explains and by at least what a check
 * calls a regression. It is not a change yet: a single bad run looks the same, and only a check or the next point tells.
 */
export function newestPoint(
  points: readonly TrendPoint[],
  groups: readonly (string | undefined)[],
  { shifts, noise, levels, modes, offsets }: LevelShifts,
  settings: readonly TrendSetting[],
): NewestPoint | undefined {
  const last = points.length - 1;
  const start = Math.max(0, ...shifts.map(({ last: end, index, kind }) => (kind === 'step' ? index : end)));
  const before = points.slice(Math.max(start, last - MOST_BEFORE), last);
  // A point that made a step is told as one.
  if (before.length < LEAST_VALUES - 1 || start === last || levels.length !== points.length) return undefined;
  const newest = points[last]!;
  const heights = points.map(
    ({ level_ms }, at) => Math.log(level_ms) - (offsets?.get(groups[at] ?? '') ?? 0),
  );
  const level = median(heights.slice(last - before.length, last));
  const size = heights[last]! - level;
  // In the slower of two modes it would be where it often is.
  if (modes !== undefined && Math.abs(size) < 1.25 * modes.gap) return undefined;
  const [low, high] = newest.ci_ms;
  const own = Math.log(high / low) / INTERVAL_ERRORS;
  // The median of n values has π/2 times the variance of their mean.
  const error = Math.hypot(Math.max(noise, own), noise * Math.sqrt(Math.PI / 2 / before.length));
  const freedom = before.length - 1;
  const p = error === 0 ? 0 : studentTTwoSided(size / error, freedom);
  const change_pct = changePct(1, Math.exp(size));
  const least = Math.log1p(JUDGE_DEFAULTS.regressionPct / 100);
  if (p > LEAST_P || Math.abs(size) < least) return undefined;
  const reach = studentTQuantile(0.975, freedom) * error;
  const previous = points[last - 1]!;
  const other = settingChanges(settings[previous.setting ?? -1], settings[newest.setting ?? -1]);
  return {
    commit: newest.commit,
    previous_commit: previous.commit,
    time: newest.time,
    change_pct,
    ci_pct: [changePct(1, Math.exp(size + reach)), changePct(1, Math.exp(size - reach))],
    p,
    ...defined({ verdict: newest.verdict }),
    ...(other.length === 0 ? {} : { settings: other }),
  };
}
