import { ATTENTION_ORDER, type Attention } from '../../model/judge/attention.ts';
import { defined } from '../../model/defined.ts';
import type { NewestPoint, Overview } from '../../model/history/history.ts';
import { worstFirst } from '../worst-first.ts';
import type { CurrentChanges } from './current-changes.ts';
import { standingSlowdowns } from './standing-slowdowns.ts';

/**
 * The overview with what the trends add to it: each key's last change within its window, and slowdowns to look at
 * that were not undone since. A step counts as a regression whatever the last verdict says: a check judges one commit
 * against another, and the commits after a slow one are not slower than it. A newest point that is slower than the level
 * before it, and that no check has judged, is to be looked at: one point is not a change yet.
 */
export function withChanges(
  overview: Overview,
  { changes, newest, bimodal, pending }: CurrentChanges,
): Overview {
  const keys = overview.keys.map((known) => {
    const row = pending.has(known.key.id) ? { ...known, trend_pending: true } : known;
    const own = (changes.get(row.key.id) ?? []).filter(
      ({ time }) => time >= overview.since && time < overview.until,
    );
    const last_change = own.at(-1);
    const last = newest.get(row.key.id);
    const isShown = last !== undefined && last.time >= overview.since && last.time < overview.until;
    const isBimodal = bimodal.has(row.key.id);
    if (last_change === undefined && !isShown && !isBimodal) return row;
    const found: Attention[] = standingSlowdowns(own).map(({ kind }): Attention =>
      kind === 'step' ? 'regressed' : 'creep',
    );
    if (isShown && isUnjudged(last)) found.push('unconfirmed');
    if (isBimodal) found.push('bimodal');
    const words = new Set([...row.attention, ...found]);
    return {
      ...row,
      ...defined({ last_change, newest: isShown ? last : undefined }),
      attention: ATTENTION_ORDER.filter((word) => words.has(word)),
    };
  });
  return { ...overview, keys: keys.toSorted(worstFirst) };
}

/** A check measures both sides side by side: where it says maintained, the machine is what changed. */
function isUnjudged({ change_pct, verdict }: NewestPoint): boolean {
  return change_pct < 0 && (verdict === undefined || verdict === 'new' || verdict === 'undecided');
}
