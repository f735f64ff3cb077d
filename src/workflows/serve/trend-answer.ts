import type { History, TrendWindow } from '../../history/history.ts';
import type { Overview, Trend } from '../../model/history.ts';

export async function answerTrend(
  history: History,
  key: string,
  window: TrendWindow,
): Promise<Trend | undefined> {
  const found = await history.trendPoints(key, window);
  if (found === undefined) return undefined;
  const { points, total } = found;
  return {
    schema: 'pawl.trend/1',
    key: found.key,
    points: [...points],
    changes: [],
    ...(total > points.length ? { thinned_from: total } : {}),
  };
}

export function answerOverview(
  history: History,
  window: { readonly since: Date; readonly until: Date },
): Promise<Overview> {
  return history.overview(window);
}
