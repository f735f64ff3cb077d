/** P(U ≤ u) and P(U ≥ u) under the null hypothesis; both contain the observed u. */
export interface UTails {
  readonly lower: number;
  readonly upper: number;
}

/**
 * P(U = u) for u = 0 … ⌊nm/2⌋ without ties, the other half being its mirror image: the coefficients of the Gaussian
 * binomial Π (1 − q^(m+i))/(1 − qⁱ) (Andrews, "The Theory of Partitions", 1976, chapter 3; Mann & Whitney, Annals of
 * Mathematical Statistics 18(1), 1947). They rise up to the middle, so that the subtractions cost no digits there.
 */
export function untiedUMasses(n: number, m: number): Float64Array {
  const small = Math.min(n, m);
  const large = Math.max(n, m);
  const counts = new Float64Array(Math.floor((n * m) / 2) + 1);
  counts[0] = 1;
  let total = 1;
  for (let i = 1; i <= small; i++) {
    for (let u = counts.length - 1; u >= large + i; u--) counts[u]! -= counts[u - large - i]!;
    for (let u = i; u < counts.length; u++) counts[u]! += counts[u - i]!;
    total *= (large + i) / i;
  }
  return counts.map((count) => count / total);
}

/** The tails of U without ties at the observed `u`. */
export function untiedUTails(u: number, n: number, m: number): UTails {
  const masses = untiedUMasses(n, m);
  const upTo = (at: number): number => {
    let sum = 0;
    for (let k = 0; k <= at; k++) sum += masses[k]!;
    return sum;
  };
  const pairs = n * m;
  const near = Math.min(u, pairs - u);
  const small = upTo(near);
  const rest = 1 - upTo(near - 1);
  return 2 * u <= pairs ? { lower: small, upper: rest } : { lower: rest, upper: small };
}

/**
 * The tails of U given the ties, over all ways to deal the pooled values to samples of n and m: Streitberg &
 * Röhmel's shift algorithm ("Exact distributions for permutation and rank tests", Statistical Software Newsletter
 * 12(1), 1986). `groups` are the sizes of the groups of equal values in ascending order; `u` is that of the sample
 * of n.
 */
export function tiedUTails(u: number, n: number, m: number, groups: readonly number[]): UTails {
  if (n > m) {
    const { lower, upper } = tiedUTails(n * m - u, m, n, groups);
    return { lower: upper, upper: lower };
  }
  const scores = midScores(groups);
  // sums[t]: of the t lowest scores. k of the t lowest add up to at most sums[t] − sums[t − k].
  const sums = new Float64Array(scores.length + 1);
  scores.forEach((score, index) => (sums[index + 1] = sums[index]! + score));
  const reach = sums[scores.length]! - sums[m]!;
  // ways[k][s]: in how many ways k values have scores that add up to s.
  const ways = Array.from({ length: n + 1 }, () => new Float64Array(reach + 1));
  ways[0]![0] = 1;
  for (let seen = 1; seen <= scores.length; seen++) {
    const score = scores[seen - 1]!;
    for (let k = Math.min(seen, n); k >= 1; k--)
      addShifted(ways[k - 1]!, ways[k]!, score, sums[seen]! - sums[seen - k]!);
  }
  const all = ways[n]!;
  // U of n values is their rank sum less n(n + 1)/2; scores are twice the ranks, less 2.
  const observed = Math.round(2 * u + n * (n - 1));
  let lower = 0;
  let upper = 0;
  let total = 0;
  for (let s = 0; s <= reach; s++) {
    total += all[s]!;
    if (s <= observed) lower += all[s]!;
    if (s >= observed) upper += all[s]!;
  }
  return { lower: lower / total, upper: upper / total };
}

function addShifted(from: Float64Array, to: Float64Array, shift: number, last: number): void {
  for (let s = shift; s <= last; s++) to[s]! += from[s - shift]!;
}

/** Twice the mid-rank of every value, counted from 0. */
function midScores(groups: readonly number[]): number[] {
  const scores: number[] = [];
  for (const size of groups) {
    const score = 2 * scores.length + size - 1;
    for (let k = 0; k < size; k++) scores.push(score);
  }
  return scores;
}
