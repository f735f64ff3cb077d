import { defined } from '../../model/defined.ts';
import type { Trend, TrendMark } from '../../model/history/history.ts';
import type { History, TrendWindow } from '../history.ts';
import { describeTrend, type TrendFindings } from './find-changes.ts';
import { releaseMarks, type Release } from './trend-marks.ts';

/**
 * A key's trend in a window. Changes are found on all of its points, whatever the window and however many points are
 * wanted, and remembered until there are new ones.
 */
export async function trendOf(
  history: History,
  key: string,
  window: TrendWindow = {},
  releases: readonly Release[] = [],
): Promise<Trend | undefined> {
  const found = await history.trendPoints(key, window);
  if (found === undefined) return undefined;
  const { points, settings, total } = found;
  const { changes, newest, modes, host_offsets, marks = [] } = await findingsOf(history, found.key.id);
  const { lines, waived } = await history.trendContext(found.key.id);
  const isShown = ({ time }: { readonly time: string }): boolean => isIn(window, new Date(time));
  const all: readonly TrendMark[] = [
    ...marks,
    ...waived.map(({ commit, time }) => ({ kind: 'waiver' as const, commit, time })),
    ...releaseMarks(points, releases),
  ];
  return {
    schema: 'pawl.trend/1',
    key: found.key,
    points: [...points],
    changes: changes.filter(isShown),
    ...defined({ modes, host_offsets, newest: newest && isShown(newest) ? newest : undefined }),
    settings: [...settings],
    marks: all.filter(isShown).toSorted((one, other) => Date.parse(one.time) - Date.parse(other.time)),
    lines,
    ...(total > points.length ? { thinned_from: total } : {}),
  };
}

async function findingsOf(history: History, key: string): Promise<TrendFindings> {
  const { seen, known } = (await history.knownChanges(key)).get(key) ?? {};
  if (known !== undefined && known.seen === seen) return known;
  const all = await history.trendPoints(key);
  const found = describeTrend(all?.points ?? [], { settings: all?.settings ?? [] });
  if (seen !== undefined) await history.rememberChanges(new Map([[key, { seen, ...found }]]));
  return found;
}

function isIn({ since, until }: TrendWindow, time: Date): boolean {
  return (since === undefined || time >= since) && (until === undefined || time < until);
}
