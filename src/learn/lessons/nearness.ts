import type { Lesson, Warning } from '../../model/learn/lesson.ts';
import { isLike } from './wildcard.ts';

type Nearness = Warning['nearness'];

export interface Where {
  readonly device?: string | undefined;
  readonly kind?: string | undefined;
}

/**
 * How near a lesson's home is. Without a scope it holds everywhere, but what was only ever seen on other devices is
 * not as sure as what was seen on this one.
 */
export function nearnessOf({ scope, evidence }: Lesson, { device, kind }: Where): Nearness {
  if (scope.kinds !== undefined && kind !== undefined && !includes(scope.kinds, kind)) return 'other-kind';
  const homes = scope.devices ?? evidence.flatMap((each) => each.device ?? []);
  if (homes.length === 0) return 'same-device';
  return device !== undefined && includes(homes, device) ? 'same-device' : 'same-kind';
}

/** Where one session's experience stands to another's. */
export function nearnessBetween(there: Where, here: Where): Nearness {
  if (there.kind !== here.kind) return 'other-kind';
  return there.device !== undefined && there.device === here.device ? 'same-device' : 'same-kind';
}

export function includes(patterns: readonly string[], name: string): boolean {
  return patterns.some((pattern) => isLike(name, pattern));
}
