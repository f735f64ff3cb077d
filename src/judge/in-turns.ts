import type { Series } from '../model/measure/samples.ts';
import { median } from '../stats/quantile.ts';

/**
 * Whether the processes of two sides were measured in turns: the middle of each side lies between the other's first and
 * last. Whatever drifts then drifts for both, so a clock that differs between the sides is the kernels' own doing.
 */
export function inTurns(one: readonly Series[], other: readonly Series[]): boolean {
  const [first, second] = [startsOf(one), startsOf(other)];
  if (first === undefined || second === undefined) return false;
  return isAmid(first, second) && isAmid(second, first);
}

function isAmid(starts: readonly number[], others: readonly number[]): boolean {
  const middle = median(starts);
  return Math.min(...others) <= middle && middle <= Math.max(...others);
}

/** When each process began; a file from elsewhere need not say, and one process has no turns. */
function startsOf(series: readonly Series[]): number[] | undefined {
  const starts = series.map(({ started_at }) => Date.parse(started_at ?? ''));
  return starts.length < 2 || starts.some(Number.isNaN) ? undefined : starts;
}
