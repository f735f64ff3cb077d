import { blindTolerance } from './blind-tolerance.ts';
import type { Verification } from './verification.ts';

/** The check of two measurements taken together: what speaks against one of them speaks against both. */
export function worseVerification(
  one: Verification | undefined,
  other: Verification | undefined,
): Verification | undefined {
  const wrong = [one, other].find((check) => check?.passed === false);
  return wrong ?? [one, other].find((check) => blindTolerance(check) !== undefined) ?? other ?? one;
}
