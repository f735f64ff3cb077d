import { bisect } from './bisect.ts';
import { normalCdf, normalQuantile } from './normal.ts';
import { sorted } from './order.ts';
import { untiedUMasses } from './u-distribution.ts';

export interface ShiftInterval {
  /** Baseline less candidate: of times, what the candidate saves. */
  readonly shift: number;
  readonly low: number;
  readonly high: number;
  /** The interval's own coverage, which few values may keep below what was asked for. */
  readonly confidence: number;
}

/** As for `mannWhitneyU`, whose inversion the interval is. */
const EXACT_LIMIT = 50;

/**
 * Hodges & Lehmann's estimate of a shift ("Estimates of location based on rank tests", Annals of Mathematical
 * Statistics 34(2), 1963): the median of all n·m differences. Its interval runs between the differences whose ranks
 * are the critical values of the Mann-Whitney test (Moses; Hollander & Wolfe, "Nonparametric Statistical Methods",
 * 2nd ed., 1999, section 4.3), exact up to 50 values per side without ties; ties make it cover more.
 *
 * The differences are never written down: a difference of given rank is found by bisection over the doubles, each
 * step counting in O(n + m).
 */
export function hodgesLehmann(
  baseline: ArrayLike<number>,
  candidate: ArrayLike<number>,
  options: { readonly confidence?: number } = {},
): ShiftInterval {
  const { confidence = 0.95 } = options;
  if (!(confidence > 0 && confidence < 1)) {
    throw new RangeError(`confidence lies between 0 and 1, not at ${confidence}`);
  }
  const a = sorted(baseline);
  const b = sorted(candidate);
  const pairs = a.length * b.length;
  const lower = differenceOfRank(a, b, Math.ceil(pairs / 2));
  const upper = pairs % 2 === 1 ? lower : differenceOfRank(a, b, pairs / 2 + 1);
  const critical = criticalRank(a.length, b.length, confidence);
  return {
    shift: lower + (upper - lower) / 2,
    low: differenceOfRank(a, b, critical.rank),
    high: differenceOfRank(a, b, pairs + 1 - critical.rank),
    confidence: critical.confidence,
  };
}

/** The largest rank k with P(U < k) ≤ (1 − confidence)/2, at least 1, and the coverage 1 − 2·P(U < k). */
function criticalRank(n: number, m: number, confidence: number): { rank: number; confidence: number } {
  const tail = (1 - confidence) / 2;
  if (Math.max(n, m) <= EXACT_LIMIT) {
    const masses = untiedUMasses(n, m);
    let below = masses[0]!;
    let rank = 1;
    while (rank < masses.length && below + masses[rank]! <= tail) below += masses[rank++]!;
    return { rank, confidence: Math.max(0, 1 - 2 * below) };
  }
  const deviation = Math.sqrt((n * m * (n + m + 1)) / 12);
  const rank = Math.max(1, Math.floor((n * m) / 2 + 0.5 + normalQuantile(tail) * deviation));
  return { rank, confidence: 1 - 2 * normalCdf((rank - 0.5 - (n * m) / 2) / deviation) };
}

/** The difference a − b that has this rank, from 1, among all in ascending order. */
function differenceOfRank(a: Float64Array, b: Float64Array, rank: number): number {
  const least = a[0]! - b[b.length - 1]!;
  if (countUpTo(a, b, least) >= rank) return least;
  return bisect(least, a[a.length - 1]! - b[0]!, (difference) => countUpTo(a, b, difference) >= rank);
}

/** How many differences are at most this: as a grows, fewer values of b qualify. */
function countUpTo(a: Float64Array, b: Float64Array, difference: number): number {
  let count = 0;
  let from = 0;
  for (let i = 0; i < a.length; i++) {
    const value = a[i]!;
    while (from < b.length && value - b[from]! > difference) from++;
    if (from === b.length) break;
    count += b.length - from;
  }
  return count;
}
