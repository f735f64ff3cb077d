import type { TrendChange } from '../../model/history.ts';
import type { History, KnownChanges } from '../history.ts';
import { acrossKeys } from './across-keys.ts';
import { findChanges } from './find-changes.ts';

/**
 * The changes of every key, by key: those that are known and still true, and for keys with new points found anew and
 * remembered. Allowing for all keys is left to the end, since it depends on what is looked at together.
 */
export async function currentChanges(history: History): Promise<ReadonlyMap<string, readonly TrendChange[]>> {
  const all = new Map<string, readonly TrendChange[]>();
  const fresh = new Map<string, KnownChanges>();
  for (const [key, { seen, known }] of await history.knownChanges()) {
    if (known?.seen === seen) {
      all.set(key, known.changes);
      continue;
    }
    const trend = await history.trendPoints(key);
    const changes = findChanges(trend?.points ?? []);
    all.set(key, changes);
    fresh.set(key, { seen, changes });
  }
  if (fresh.size > 0) await history.rememberChanges(fresh);
  return acrossKeys(all);
}
