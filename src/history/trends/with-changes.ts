import { ATTENTION_ORDER, type Attention } from '../../model/attention.ts';
import type { Overview, TrendChange } from '../../model/history.ts';
import { worstFirst } from '../worst-first.ts';
import { standingSlowdowns } from './standing-slowdowns.ts';

/**
 * The overview with what the trends add to it: each key's last change within its window, and slowdowns to look at
 * that were not undone since. A step counts as a regression whatever the last verdict says: a check judges one commit
 * against another, and the commits after a slow one are no slower than it.
 */
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
    const found = standingSlowdowns(own).map(({ kind }): Attention =>
      kind === 'step' ? 'regressed' : 'creep',
    );
    const words = new Set([...row.attention, ...found]);
    return { ...row, last_change, attention: ATTENTION_ORDER.filter((word) => words.has(word)) };
  });
  return { ...overview, keys: keys.toSorted(worstFirst) };
}
