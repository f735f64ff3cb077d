import { normalUpperTail } from './normal.ts';
import { sorted } from './order.ts';
import { pairCounts } from './pair-counts.ts';
import type { UTails } from './u-distribution.ts';
import { tiedUTails, untiedUTails } from './u-distribution.ts';

/** Which differences count against chance. `greater`: baseline values are greater, so of times the candidate's are faster. */
export type Alternative = 'two-sided' | 'less' | 'greater';

export interface MannWhitneyOptions {
  readonly alternative?: Alternative;
  /** `auto` is exact for up to 50 values per side, or 25 where there are ties. */
  readonly method?: 'auto' | 'exact' | 'normal';
}

export interface MannWhitneyResult {
  /** Pairs in which the baseline's value is greater, ties counting half. */
  readonly u: number;
  readonly p: number;
  readonly method: 'exact' | 'normal';
}

/**
 * Up to where `auto` is exact: the limits of benchstat (golang.org/x/perf), at which the normal's two-sided p is off
 * by at most 0.002, or 0.004 with ties.
 */
const EXACT_LIMIT = 50;
const TIED_EXACT_LIMIT = 25;
/** What can be asked for: about half a second. */
const EXACT_MOST = 500;
const TIED_EXACT_MOST = 100;

/**
 * The Mann-Whitney U test ("On a test of whether one of two random variables is stochastically larger than the
 * other", Annals of Mathematical Statistics 18(1), 1947). Small samples: the exact distribution given the ties.
 * Large ones: the normal with its variance corrected for ties and half a step for continuity (Lehmann,
 * "Nonparametrics", 1975, section 1.4). Two-sided is twice the smaller tail, at most 1. When all values are equal,
 * p is 1.
 */
export function mannWhitneyU(
  baseline: ArrayLike<number>,
  candidate: ArrayLike<number>,
  options: MannWhitneyOptions = {},
): MannWhitneyResult {
  const { alternative = 'two-sided', method = 'auto' } = options;
  const n = baseline.length;
  const m = candidate.length;
  const counts = pairCounts(baseline, candidate);
  const u = counts.greater + counts.equal / 2;
  const limit = counts.tieTerm > 0 ? TIED_EXACT_LIMIT : EXACT_LIMIT;
  if (method === 'exact' || (method === 'auto' && Math.max(n, m) <= limit)) {
    const most = counts.tieTerm > 0 ? TIED_EXACT_MOST : EXACT_MOST;
    if (Math.max(n, m) > most)
      throw new RangeError(`the exact test takes up to ${most} values per side here`);
    const tails =
      counts.tieTerm > 0 ? tiedUTails(u, n, m, tieGroups(baseline, candidate)) : untiedUTails(u, n, m);
    return { u, p: pFromTails(tails, alternative), method: 'exact' };
  }
  return { u, p: pFromTails(normalTails(u, n, m, counts.tieTerm), alternative), method: 'normal' };
}

export function pFromTails({ lower, upper }: UTails, alternative: Alternative): number {
  if (alternative === 'less') return lower;
  if (alternative === 'greater') return upper;
  return Math.min(1, 2 * Math.min(lower, upper));
}

function normalTails(u: number, n: number, m: number, tieTerm: number): UTails {
  const total = n + m;
  const variance = ((n * m) / 12) * (total + 1 - tieTerm / (total * (total - 1)));
  if (!(variance > 0)) return { lower: 1, upper: 1 };
  const deviation = Math.sqrt(variance);
  const offset = u - (n * m) / 2;
  return {
    lower: normalUpperTail((-offset - 0.5) / deviation),
    upper: normalUpperTail((offset - 0.5) / deviation),
  };
}

/** The sizes of the groups of equal values in both samples together, in ascending order. */
function tieGroups(first: ArrayLike<number>, second: ArrayLike<number>): number[] {
  const pooled = new Float64Array(first.length + second.length);
  pooled.set(first);
  pooled.set(second, first.length);
  const groups: number[] = [];
  let previous = NaN;
  for (const value of sorted(pooled)) {
    if (value === previous) groups[groups.length - 1]! += 1;
    else groups.push(1);
    previous = value;
  }
  return groups;
}
