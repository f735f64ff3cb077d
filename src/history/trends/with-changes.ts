import type { Overview, TrendChange } from '../../model/history.ts';

/** The overview with what the trends add to it: each key's last change within its window, and creeps to look at. */
export function withChanges(
  overview: Overview,
  changes: ReadonlyMap<string, readonly TrendChange[]>,
): Overview {
  const keys = overview.keys.map((row) => {
    const own = (changes.get(row.key.id) ?? []).filter(
      ({ time }) => time >= overview.since && time < overview.until,
    );
    const last_change = own.at(-1);
    if (last_change === undefined) return row;
    const creeps = own.some(({ kind, change_pct }) => kind === 'creep' && change_pct < 0);
    const attention = [...row.attention, ...(creeps ? (['creep'] as const) : [])];
    return { ...row, last_change, attention };
  });
  const rank = ({ attention }: Overview['keys'][number]): number => {
    const found = URGENCY.findIndex((word) => attention.includes(word));
    return found < 0 ? URGENCY.length : found;
  };
  // The store's order within a rank stays: sorting is stable.
  return { ...overview, keys: keys.toSorted((one, other) => rank(one) - rank(other)) };
}

const URGENCY = ['incorrect', 'regressed', 'creep', 'noisy', 'stale'] as const;
