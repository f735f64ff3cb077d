import type { TrendChange } from '../../model/history.ts';
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
  readonly onKnown?: (changes: ReadonlyMap<string, readonly TrendChange[]>, left: number) => void;
}

/** Thousands of points take a tenth of a second a key: what was found is kept, and told, every few seconds. */
const KEYS_A_STEP = 20;

/**
 * The changes of every key, by key: those that are known and still true, and for keys with new points found anew and
 * remembered. Allowing for all keys is left to the end, since it depends on what is looked at together.
 */
export async function currentChanges(
  history: History,
  { goesOn = () => true, onKnown = () => undefined }: CurrentChangesOptions = {},
): Promise<ReadonlyMap<string, readonly TrendChange[]>> {
  const all = new Map<string, readonly TrendChange[]>();
  const stale: (readonly [key: string, seen: string])[] = [];
  for (const [key, { seen, known }] of await history.knownChanges()) {
    all.set(key, known?.changes ?? []);
    if (known?.seen !== seen) stale.push([key, seen]);
  }
  let fresh = new Map<string, KnownChanges>();
  for (const [index, [key, seen]] of stale.entries()) {
    if (index % KEYS_A_STEP === 0) {
      if (fresh.size > 0) await history.rememberChanges(fresh);
      fresh = new Map();
      onKnown(acrossKeys(all), stale.length - index);
    }
    // SQLite answers within the call, so a server would answer nobody and see no time pass until the last key.
    await new Promise((resolve) => setImmediate(resolve));
    if (!goesOn()) break;
    const trend = await history.trendPoints(key);
    const found = describeTrend(trend?.points ?? []);
    all.set(key, found.changes);
    fresh.set(key, { seen, ...found });
  }
  if (fresh.size > 0) await history.rememberChanges(fresh);
  return acrossKeys(all);
}
