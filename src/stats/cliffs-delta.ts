import { pairCounts } from './pair-counts.ts';

/**
 * Cliff's δ ("Dominance statistics: ordinal analyses to answer ordinal questions", Psychological Bulletin 114(3),
 * 1993): (#greater − #less) / (n·m) over all pairs of a baseline and a candidate value, from −1 to 1. For times,
 * positive is a candidate that is faster.
 */
export function cliffsDelta(baseline: ArrayLike<number>, candidate: ArrayLike<number>): number {
  const { pairs, greater, equal } = pairCounts(baseline, candidate);
  return (2 * greater + equal - pairs) / pairs;
}

/**
 * The usual words for |δ| (Romano, Kromrey, Coraggio & Skowronek, "Appropriate statistics for ordinal level data",
 * Florida Association of Institutional Research, 2006).
 */
export function cliffsDeltaBand(delta: number): 'negligible' | 'small' | 'medium' | 'large' {
  const size = Math.abs(delta);
  if (!(size <= 1)) throw new RangeError(`δ lies between −1 and 1, not at ${delta}`);
  if (size < 0.147) return 'negligible';
  if (size < 0.33) return 'small';
  return size < 0.474 ? 'medium' : 'large';
}
