import type { TrendChange } from '../../model/history/history.ts';
import { benjaminiHochberg } from '../../stats/adjust-p.ts';

/** Of the changes shown for many keys at once, at most this share is expected to be none. */
const FALSE_SHARE = 0.05;

/**
 * The changes that stand when many keys are looked at together. Each key's own are right with its own chance; of
 * hundreds of keys some show a change by chance alone. A key without changes counts as a test that showed nothing.
 */
export function acrossKeys(
  changes: ReadonlyMap<string, readonly TrendChange[]>,
  falseShare = FALSE_SHARE,
): ReadonlyMap<string, readonly TrendChange[]> {
  const tests = [...changes].flatMap(([key, own]): { key: string; change?: TrendChange; p: number }[] =>
    own.length === 0 ? [{ key, p: 1 }] : own.map((change) => ({ key, change, p: change.p })),
  );
  const adjusted = benjaminiHochberg(tests.map(({ p }) => p));
  const kept = new Map<string, TrendChange[]>([...changes.keys()].map((key) => [key, []]));
  tests.forEach(({ key, change }, index) => {
    if (change !== undefined && adjusted[index]! <= falseShare) kept.get(key)!.push(change);
  });
  return kept;
}
