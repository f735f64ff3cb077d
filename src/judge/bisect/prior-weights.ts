import type { TrendChange } from '../../model/history/history.ts';

/** What history may say at most: a commit that it does not suspect stays possible. */
const TRUSTED = 0.8;

/**
 * How likely each commit is the guilty one, oldest first: all alike, unless the history of the case has slower steps
 * among them. Those share four fifths by their size, each among its commit and the ones before it that were never
 * measured. It only chooses where to look first: every answer is measured.
 */
export function priorWeights(
  shas: readonly string[],
  changes: readonly TrendChange[],
): { readonly weights: readonly number[]; readonly from: 'history' | 'none' } {
  const places = new Map(shas.map((sha, place) => [sha, place]));
  const steps = changes.flatMap(({ kind, change_pct, commit, previous_commit }) => {
    const last = places.get(commit);
    if (kind !== 'step' || change_pct >= 0 || last === undefined) return [];
    // A commit that is not among them is GOOD, or older.
    const first = (places.get(previous_commit) ?? -1) + 1;
    return first > last ? [] : [{ first, last, size: Math.log1p(-change_pct / 100) }];
  });
  if (steps.length === 0) return { weights: shas.map(() => 1 / shas.length), from: 'none' };
  const total = steps.reduce((sum, { size }) => sum + size, 0);
  const weights = shas.map(() => (1 - TRUSTED) / shas.length);
  for (const { first, last, size } of steps) {
    const each = (TRUSTED * size) / total / (last - first + 1);
    for (let place = first; place <= last; place++) weights[place]! += each;
  }
  return { weights, from: 'history' };
}
