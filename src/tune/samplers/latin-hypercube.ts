import { nextBelow } from '../../stats/random.ts';
import type { Random } from '../../stats/random.ts';
import type { Point, Space } from '../space/space.ts';

/** Points that the design is chosen from. */
const POOL = 2000;
/** Exchanges tried for each point of the design; more change little. */
const EXCHANGES_PER_POINT = 200;

/**
 * A Latin hypercube over the feasible set: each parameter's feasible values, weighted by how many feasible points
 * have them, are cut into as many strata as there are points, and as few points as possible share one (McKay,
 * Beckman & Conover, Technometrics 21(2), 1979, with the strata of the constrained marginals). Found by random
 * exchanges, since constraints may forbid a design without any shared stratum.
 */
export function latinHypercube(space: Space, count: number, random: Random): Point[] {
  const pool = space.sample(POOL, random);
  if (pool.length <= count) return pool;
  const strata = space.parameters
    .map((parameter, at) => ({ parameter, at }))
    .filter(({ parameter }) => parameter.values.length > 1)
    .map(({ at }) => strataOf(pool, at, count, random));
  const taken = strata.map(() => new Int32Array(count));
  // The pool is in random order, so its head is a random design.
  const design = Array.from({ length: count }, (_, index) => index);
  for (const member of design) shift(strata, taken, member, 1);
  for (let exchange = 0; exchange < count * EXCHANGES_PER_POINT; exchange++) {
    const slot = nextBelow(random, count);
    const candidate = nextBelow(random, pool.length);
    const member = design[slot]!;
    if (design.includes(candidate)) continue;
    shift(strata, taken, member, -1);
    if (crowding(strata, taken, candidate) <= crowding(strata, taken, member)) design[slot] = candidate;
    shift(strata, taken, design[slot]!, 1);
  }
  return design.map((index) => pool[index]!);
}

/** The stratum of each point in one parameter: its rank in the pool, equal values in random order. */
function strataOf(pool: readonly Point[], at: number, count: number, random: Random): Int32Array {
  const order = pool
    .map((point, index) => ({ value: point[at]!, index, tie: random.nextOpen() }))
    .sort((one, other) => one.value - other.value || one.tie - other.tie);
  const strata = new Int32Array(pool.length);
  for (const [rank, { index }] of order.entries()) strata[index] = Math.floor((rank * count) / pool.length);
  return strata;
}

function shift(
  strata: readonly Int32Array[],
  taken: readonly Int32Array[],
  member: number,
  by: number,
): void {
  for (const [at, stratum] of strata.entries()) taken[at]![stratum[member]!]! += by;
}

/** How many members of the design share a stratum with the point. */
function crowding(strata: readonly Int32Array[], taken: readonly Int32Array[], member: number): number {
  return strata.reduce((sum, stratum, at) => sum + taken[at]![stratum[member]!]!, 0);
}
