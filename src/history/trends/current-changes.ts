import type { NewestPoint, TrendChange } from '../../model/history/history.ts';
import type { History, KnownChanges } from '../history.ts';
import { acrossKeys } from './across-keys.ts';
import { describeTrend } from './find-changes.ts';

export interface CurrentChangesOptions {
  /**
   * Asked before every key that has new points; false leaves it with what was known of it, for someone who waits. A
   * later call goes on with those that are left. Default: all are brought up to date.
   */
  readonly goesOn?: () => boolean;
  /** Told what is known so far: at once, where something is left to look at, and as keys are done. */
  readonly onKnown?: (known: CurrentChanges, left: number) => void;
}

/** By key. */
export interface CurrentChanges {
  readonly changes: ReadonlyMap<string, readonly TrendChange[]>;
  readonly newest: ReadonlyMap<string, NewestPoint>;
  /** Those that alternate between two levels. */
  readonly bimodal: ReadonlySet<string>;
  /** Those whose points were not all looked at. */
  readonly pending: ReadonlySet<string>;
}

/** Thousands of points take a tenth of a second a key: what was found is kept, and told, every few seconds. */
const KEYS_A_STEP = 20;

/**
 * The changes of every key, by key: those that are known and still true, and for keys with new points found again and
 * remembered. Allowing for all keys is left to the end, since it depends on what is looked at together.
 */
export async function currentChanges(
  history: History,
  { goesOn = () => true, onKnown = () => undefined }: CurrentChangesOptions = {},
): Promise<CurrentChanges> {
  const newest = new Map<string, NewestPoint>();
  const bimodal = new Set<string>();
  const all = new Map<string, readonly TrendChange[]>();
  const stale: (readonly [key: string, seen: string])[] = [];
  for (const [key, { seen, known }] of await history.knownChanges()) {
    all.set(key, known?.changes ?? []);
    if (known?.newest !== undefined) newest.set(key, known.newest);
    if (known?.modes !== undefined) bimodal.add(key);
    if (known?.seen !== seen) stale.push([key, seen]);
  }
  const pending = new Set(stale.map(([key]) => key));
  const known = (): CurrentChanges => ({
    changes: acrossKeys(all),
    newest: new Map(newest),
    bimodal: new Set(bimodal),
    pending: new Set(pending),
  });
  let fresh = new Map<string, KnownChanges>();
  for (const [index, [key, seen]] of stale.entries()) {
    if (index % KEYS_A_STEP === 0) {
      if (fresh.size > 0) await history.rememberChanges(fresh);
      fresh = new Map();
      onKnown(known(), stale.length - index);
    }
    // SQLite answers within the call, so a server would answer no one and see no time pass until the last key.
    await new Promise((resolve) => setImmediate(resolve));
    if (!goesOn()) break;
    const trend = await history.trendPoints(key);
    const found = describeTrend(trend?.points ?? [], { settings: trend?.settings ?? [] });
    all.set(key, found.changes);
    newest.delete(key);
    if (found.newest !== undefined) newest.set(key, found.newest);
    bimodal.delete(key);
    if (found.modes !== undefined) bimodal.add(key);
    pending.delete(key);
    fresh.set(key, { seen, ...found });
  }
  if (fresh.size > 0) await history.rememberChanges(fresh);
  return known();
}
