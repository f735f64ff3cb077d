import { blindTolerance } from './blind-tolerance.ts';
import type { CheckResult } from './check.ts';

/** The check of two measurements taken together: what speaks against one of them speaks against both. */
export function worseCheck(
  one: CheckResult | undefined,
  other: CheckResult | undefined,
): CheckResult | undefined {
  const wrong = [one, other].find((check) => check?.passed === false);
  return wrong ?? [one, other].find((check) => blindTolerance(check) !== undefined) ?? other ?? one;
}
