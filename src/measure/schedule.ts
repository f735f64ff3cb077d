import { createHash } from 'node:crypto';

import { nextBelow, type Random } from '../stats/index.ts';

/** A copy in random order (Fisher and Yates; Durstenfeld 1964). */
export function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  const order = [...items];
  for (let last = order.length - 1; last > 0; last--) {
    const other = nextBelow(random, last + 1);
    [order[last], order[other]] = [order[other] as Item, order[last] as Item];
  }
  return order;
}

/** An unsigned 64-bit seed as the decimal digits that the protocol wants. */
export function seedDigits(random: Random): string {
  return ((BigInt(random.nextUint32()) << 32n) | BigInt(random.nextUint32())).toString();
}

/**
 * Digits that depend on the run's seed and on what they are for, and not on what else the run does: one case by
 * itself gets the inputs it had among many.
 */
export function seedFor(seed: string, ...purpose: readonly (string | number)[]): string {
  const digest = createHash('sha256').update(JSON.stringify([seed, ...purpose]));
  return digest.digest().readBigUInt64LE().toString();
}
