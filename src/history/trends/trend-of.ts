import type { Trend, TrendChange } from '../../model/history.ts';
import type { History, TrendWindow } from '../history.ts';
import { findChanges } from './find-changes.ts';

/**
 * A key's trend in a window. Changes are found on all of its points, whatever the window and however many points are
 * wanted, and remembered until there are new ones.
 */
export async function trendOf(
  history: History,
  key: string,
  window: TrendWindow = {},
): Promise<Trend | undefined> {
  const found = await history.trendPoints(key, window);
  if (found === undefined) return undefined;
  const { points, total } = found;
  const changes = await changesOf(history, key);
  return {
    schema: 'pawl.trend/1',
    key: found.key,
    points: [...points],
    changes: changes.filter(({ time }) => isIn(window, new Date(time))),
    ...(total > points.length ? { thinned_from: total } : {}),
  };
}

async function changesOf(history: History, key: string): Promise<readonly TrendChange[]> {
  const { seen, known } = (await history.knownChanges()).get(key) ?? {};
  if (known !== undefined && known.seen === seen) return known.changes;
  const changes = findChanges((await history.trendPoints(key))?.points ?? []);
  if (seen !== undefined) await history.rememberChanges(new Map([[key, { seen, changes }]]));
  return changes;
}

function isIn({ since, until }: TrendWindow, time: Date): boolean {
  return (since === undefined || time >= since) && (until === undefined || time < until);
}
