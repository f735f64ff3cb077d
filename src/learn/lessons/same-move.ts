import type { Variable } from '../../model/learn/session.ts';
import { directionOf, numberOf } from './direction.ts';

/**
 * Whether a variable is moved now as it was then. A failure holds for whatever goes the same way over where it began,
 * also further: 128 → 64 was slower speaks against 64 → 32 and 128 → 32, not against 256 → 128. A success holds only
 * where the two ranges overlap: what helped from 64 to 128 says nothing of 128 → 256.
 */
export function isSameMove(then: Variable, now: Variable, helped: boolean): boolean {
  if (then.name !== now.name) return false;
  const [before, direction] = [directionOf(then), directionOf(now)];
  if (before === undefined || direction === undefined) {
    return then.to !== undefined && then.to === now.to && then.from === now.from;
  }
  if (before !== direction) return false;
  const sign = direction === 'up' ? 1 : -1;
  const at = (text: string | undefined): number => sign * numberOf(text)!;
  const isOverStart = at(now.to) > at(then.from);
  return helped ? isOverStart && at(now.from) < at(then.to) : isOverStart;
}
