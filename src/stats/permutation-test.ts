import type { Alternative } from './mann-whitney-u.ts';
import { pFromTails } from './mann-whitney-u.ts';
import { finiteCopy } from './order.ts';
import { nextBelow, Xoshiro128 } from './random.ts';

export interface PermutationOptions {
  /** What is compared; by default the baseline's mean less the candidate's. It may reorder what it is given. */
  readonly statistic?: (baseline: Float64Array, candidate: Float64Array) => number;
  readonly alternative?: Alternative;
  /** Random deals; when there are no more different ones than this, each is taken once and p is exact. */
  readonly resamples?: number;
  readonly seed?: number | bigint;
}

export interface PermutationResult {
  readonly statistic: number;
  readonly p: number;
  readonly method: 'exact' | 'sampled';
}

/**
 * The two-sample permutation test (Fisher, "The Design of Experiments", 1935; Pitman, Supplement to the Journal of
 * the Royal Statistical Society 4(1), 1937): how often a random deal of the pooled values gives a statistic as
 * extreme. Sampled deals count the observed one among them, (b + 1)/(m + 1), or p would be too small and could be 0
 * (Phipson & Smyth, "Permutation p-values should never be zero", Statistical Applications in Genetics and Molecular
 * Biology 9(1), 2010). Two-sided is twice the smaller tail.
 */
export function permutationTest(
  baseline: ArrayLike<number>,
  candidate: ArrayLike<number>,
  options: PermutationOptions = {},
): PermutationResult {
  const { statistic = meanDifference, alternative = 'two-sided', resamples = 9_999, seed = 42 } = options;
  if (!Number.isSafeInteger(resamples) || resamples < 1) {
    throw new RangeError(`resamples is a whole number of at least 1, not ${resamples}`);
  }
  const first = finiteCopy(baseline);
  const second = finiteCopy(candidate);
  const observed = statistic(first.slice(), second.slice());
  if (!Number.isFinite(observed)) throw new RangeError(`the statistic is a finite number, not ${observed}`);
  const pooled = new Float64Array(first.length + second.length);
  pooled.set(first);
  pooled.set(second, first.length);
  // Deals whose statistics differ by no more than the rounding of their sums are ties.
  const largest = pooled.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const rounding = options.statistic === undefined ? pooled.length * Number.EPSILON * largest : 0;
  const slack = Math.max(rounding, 1e-12 * Math.abs(observed));
  let below = 0;
  let above = 0;
  const count = (a: Float64Array, b: Float64Array): void => {
    const value = statistic(a, b);
    if (value <= observed + slack) below++;
    if (value >= observed - slack) above++;
  };

  const deals = dealsUpTo(pooled.length, first.length, resamples);
  if (deals !== undefined) {
    everyDeal(pooled, first.length, count);
    return {
      statistic: observed,
      p: pFromTails({ lower: below / deals, upper: above / deals }, alternative),
      method: 'exact',
    };
  }
  randomDeals(pooled, first.length, resamples, seed, count);
  const tails = { lower: (below + 1) / (resamples + 1), upper: (above + 1) / (resamples + 1) };
  return { statistic: observed, p: pFromTails(tails, alternative), method: 'sampled' };
}

function meanDifference(baseline: Float64Array, candidate: Float64Array): number {
  let a = 0;
  for (const value of baseline) a += value;
  let b = 0;
  for (const value of candidate) b += value;
  return a / baseline.length - b / candidate.length;
}

/** C(total, size), or undefined when it is above the limit. */
function dealsUpTo(total: number, size: number, limit: number): number | undefined {
  const small = Math.min(size, total - size);
  let deals = 1;
  for (let k = 1; k <= small; k++) {
    deals = (deals * (total - small + k)) / k;
    if (deals > limit) return undefined;
  }
  return Math.round(deals);
}

/** All choices of `size` places, in lexicographic order. */
function everyDeal(
  pooled: Float64Array,
  size: number,
  visit: (a: Float64Array, b: Float64Array) => void,
): void {
  const total = pooled.length;
  const chosen = Array.from({ length: size }, (_, index) => index);
  const a = new Float64Array(size);
  const b = new Float64Array(total - size);
  for (;;) {
    let inA = 0;
    let inB = 0;
    for (let at = 0; at < total; at++) {
      if (inA < size && chosen[inA] === at) a[inA++] = pooled[at]!;
      else b[inB++] = pooled[at]!;
    }
    visit(a, b);
    let last = size - 1;
    while (last >= 0 && chosen[last] === total - size + last) last--;
    if (last < 0) return;
    chosen[last]! += 1;
    for (let k = last + 1; k < size; k++) chosen[k] = chosen[k - 1]! + 1;
  }
}

function randomDeals(
  pooled: Float64Array,
  size: number,
  times: number,
  seed: number | bigint,
  visit: (a: Float64Array, b: Float64Array) => void,
): void {
  const random = new Xoshiro128(seed);
  const deck = pooled.slice();
  for (let i = 0; i < times; i++) {
    // The first steps of a Fisher-Yates shuffle settle who is in the first sample, which is all that matters.
    for (let k = 0; k < size; k++) {
      const other = k + nextBelow(random, deck.length - k);
      const swap = deck[k]!;
      deck[k] = deck[other]!;
      deck[other] = swap;
    }
    visit(deck.slice(0, size), deck.slice(size));
  }
}
