import type { TrendChange } from '../../model/history/history.ts';
import { LEAST_PCT } from './find-changes.ts';
import { INTERVAL_ERRORS } from './interval-errors.ts';

const LEAST = Math.log1p(LEAST_PCT / 100);
const ONE_SIDE_ERRORS = INTERVAL_ERRORS / 2;

/**
 * The changes to slower that were not undone since: after every change that followed, more is left than a trend would
 * show as a step, and more than the errors of all of them explain. Two neighbouring changes share the level between
 * them, so their errors partly cancel; adding them as if they did not calls a slowdown undone rather than standing.
 */
export function standingSlowdowns(changes: readonly TrendChange[]): TrendChange[] {
  return changes.filter((change, index) => change.change_pct < 0 && stands(changes.slice(index)));
}

function stands(since: readonly TrendChange[]): boolean {
  let left = 0;
  let variance = 0;
  return since.every(({ change_pct, ci_pct }) => {
    left += logarithmOf(change_pct);
    variance += errorOf(ci_pct) ** 2;
    return left >= LEAST && left > ONE_SIDE_ERRORS * Math.sqrt(variance);
  });
}

/** How much longer it takes: positive is slower here, as levels and not percentages count. */
function logarithmOf(change_pct: number): number {
  return Math.log1p(-change_pct / 100);
}

function errorOf([low, high]: TrendChange['ci_pct']): number {
  return (logarithmOf(low) - logarithmOf(high)) / INTERVAL_ERRORS;
}
