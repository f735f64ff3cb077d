import { defined } from '../../model/defined.ts';
import type { Trend } from '../../model/history.ts';
import type { History, TrendWindow } from '../history.ts';
import { describeTrend, type TrendFindings } from './find-changes.ts';

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
  const { changes, modes, host_offsets } = await findingsOf(history, key);
  return {
    schema: 'pawl.trend/1',
    key: found.key,
    points: [...points],
    changes: changes.filter(({ time }) => isIn(window, new Date(time))),
    ...defined({ modes, host_offsets }),
    ...(total > points.length ? { thinned_from: total } : {}),
  };
}

async function findingsOf(history: History, key: string): Promise<TrendFindings> {
  const { seen, known } = (await history.knownChanges()).get(key) ?? {};
  if (known !== undefined && known.seen === seen) return known;
  const found = describeTrend((await history.trendPoints(key))?.points ?? []);
  if (seen !== undefined) await history.rememberChanges(new Map([[key, { seen, ...found }]]));
  return found;
}

function isIn({ since, until }: TrendWindow, time: Date): boolean {
  return (since === undefined || time >= since) && (until === undefined || time < until);
}
