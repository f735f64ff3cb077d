import { nextBelow } from '../stats/index.ts';
import type { Random } from '../stats/index.ts';

export interface Range {
  readonly min: number;
  readonly max: number;
  readonly multiple: number;
}

/** Ways to choose an extent, as often as they are listed: where kernels go wrong, not where they are used. */
const WAYS = [
  'least',
  'log-uniform',
  'log-uniform',
  'log-uniform',
  'log-uniform',
  'prime',
  'prime',
  'power',
  'power',
  'beside-power',
  'beside-power',
  'beside-power',
  'hint',
  'beside-hint',
  'beside-hint',
  'beside-hint',
  'most',
] as const;

/** An extent within a range: 1, primes, powers of two, what lies beside them and beside a kernel's own sizes. */
export function drawExtent(range: Range, hints: readonly number[], random: Random): number {
  const way = pickOne(WAYS, random);
  const near = hints.filter((hint) => hint >= range.min && hint <= range.max);
  switch (way) {
    case 'least':
      return snap(range.min, range);
    case 'most':
      return snap(range.max, range);
    case 'log-uniform':
      return snap(logUniform(range, random), range);
    case 'prime':
      return snap(primeBelow(logUniform(range, random)), range);
    case 'power':
      return snap(powerNear(logUniform(range, random)), range);
    case 'beside-power':
      return snap(powerNear(logUniform(range, random)) + side(random), range);
    case 'hint':
    case 'beside-hint': {
      if (near.length === 0) return snap(logUniform(range, random), range);
      const hint = pickOne(near, random);
      const times = 1 + nextBelow(random, Math.max(1, Math.min(4, Math.floor(range.max / hint))));
      return snap(hint * times + (way === 'hint' ? 0 : side(random)), range);
    }
  }
}

/** The nearest extent that the range allows, downwards where it can. */
export function snap(value: number, { min, max, multiple }: Range): number {
  const lowest = Math.ceil(min / multiple) * multiple;
  const within = Math.min(Math.max(Math.round(value), min), max);
  return Math.max(lowest, Math.floor(within / multiple) * multiple);
}

/** From 2 up where the range has a 2: a stride that is wrong shows in no extent of 1. */
function logUniform({ min, max }: Range, random: Random): number {
  const low = Math.min(Math.max(min, 2), max);
  if (low <= 0) return low;
  return Math.floor(Math.exp(Math.log(low) + random.nextOpen() * (Math.log(max + 1) - Math.log(low))));
}

function powerNear(value: number): number {
  return 2 ** Math.round(Math.log2(Math.max(1, value)));
}

function side(random: Random): number {
  return nextBelow(random, 2) === 0 ? -1 : 1;
}

function primeBelow(value: number): number {
  let candidate = Math.max(2, value);
  while (!isPrime(candidate)) candidate -= 1;
  return candidate;
}

function isPrime(value: number): boolean {
  for (let divisor = 2; divisor * divisor <= value; divisor++) if (value % divisor === 0) return false;
  return true;
}

export function pickOne<Item>(items: readonly Item[], random: Random): Item {
  return items[nextBelow(random, items.length)] as Item;
}
