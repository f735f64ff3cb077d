import { betaTails } from './incomplete-beta.ts';

/** P(X ≤ k) for X ~ Binomial(trials, p), as an incomplete beta function (DLMF 8.17.5). */
export function binomialCdf(k: number, trials: number, p: number): number {
  return tails(k, trials, p).lower;
}

/** P(X > k) for X ~ Binomial(trials, p), without cancellation where it is small. */
export function binomialUpperTail(k: number, trials: number, p: number): number {
  return tails(k, trials, p).upper;
}

function tails(k: number, trials: number, p: number): { lower: number; upper: number } {
  if (!Number.isSafeInteger(trials) || trials < 0)
    throw new RangeError(`trials is a whole number, not ${trials}`);
  if (!(p >= 0 && p <= 1)) throw new RangeError(`a probability lies between 0 and 1, not at ${p}`);
  const successes = Math.floor(k);
  if (Number.isNaN(successes)) throw new RangeError('a count of successes is a number, not NaN');
  if (successes < 0) return { lower: 0, upper: 1 };
  if (successes >= trials) return { lower: 1, upper: 0 };
  return betaTails(1 - p, p, trials - successes, successes + 1);
}
