import type { Trend } from '../../model/history.ts';
import type { History, TrendWindow } from '../history.ts';
import { findChanges } from './find-changes.ts';

/** A key's trend in a window: changes found on all of its points, and as many points as are wanted. */
export async function trendOf(
  history: History,
  key: string,
  { maxPoints, ...window }: TrendWindow = {},
): Promise<Trend | undefined> {
  const found = await history.trendPoints(key, window);
  if (found === undefined) return undefined;
  const { points } = found;
  const changes = findChanges(points);
  const isThinned = maxPoints !== undefined && points.length > maxPoints;
  return {
    schema: 'pawl.trend/1',
    key: found.key,
    points: isThinned
      ? thinned(points, maxPoints, new Set(changes.flatMap((one) => [one.commit, one.previous_commit])))
      : [...points],
    changes,
    ...(isThinned ? { thinned_from: points.length } : {}),
  };
}

/** Evenly spread, the last one among them, and those that a change names. */
function thinned<Point extends { readonly commit: string }>(
  points: readonly Point[],
  most: number,
  named: ReadonlySet<string>,
): Point[] {
  const every = Math.ceil(points.length / most);
  return points.filter(({ commit }, index) => (points.length - 1 - index) % every === 0 || named.has(commit));
}
