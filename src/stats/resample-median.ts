import { gaussLegendre } from './gauss-legendre.ts';
import type { Random } from './random.ts';

/**
 * Draws medians of bootstrap resamples without drawing the resamples.
 *
 * A resample of n values takes the values at ranks ⌈n·U₁⌉ … ⌈n·Uₙ⌉ of the sorted sample, the U uniform. That is
 * monotone in U, so the m-th smallest value of the resample has rank ⌈n·U₍ₘ₎⌉, and U₍ₘ₎ is Beta(m, n − m + 1)
 * (David & Nagaraja, "Order Statistics", 3rd ed., 2003, section 2.1). The distribution of that rank is tabulated
 * once for a sample size, the rank of its upper neighbour given it is a geometric-like walk, and a resample costs
 * two or three random numbers instead of n. It is the plain bootstrap's distribution, not an approximation of it
 * (Efron used the same binomial sums for the median in "Bootstrap methods", Annals of Statistics 7(1), 1979).
 */
export class ResampleMedian {
  readonly #count: number;
  /** The lowest rank in the tables. */
  readonly #firstRank: number;
  readonly #cumulative: Float64Array;
  /** Where to start looking in `#cumulative`: Chen & Asau's guide ("On generating random variates from an
   * empirical distribution", AIIE Transactions 6(2), 1974). */
  readonly #guide: Uint32Array;
  /** Even n: chance that the (m + 1)-th value has a rank above that of the m-th. */
  readonly #moves: Float64Array;
  /** Even n: chance that it goes on past a rank, by rank. */
  readonly #passes: Float64Array;

  constructor(count: number) {
    this.#count = count;
    const lower = (count + 1) >> 1;
    const upper = count - lower;
    const { first, masses, peak } = lowerMiddleRanks(count);

    this.#firstRank = first;
    this.#cumulative = cumulativeShares(masses);
    this.#guide = guideTable(this.#cumulative);
    const logExactlyLower = logDensity(lower, upper);
    this.#moves = masses.map((mass, index) => {
      const rank = first + index;
      const exactlyLower = Math.exp(logExactlyLower(rank / count) - peak) / lower;
      return (exactlyLower * -Math.expm1(lower * Math.log1p(-1 / rank))) / mass;
    });
    // Forty ranks beyond the table: a gap that long has a probability of about e^-40.
    const last = Math.min(count, first + masses.length + 40);
    this.#passes = Float64Array.from({ length: last - first + 1 }, (_, index) => {
      const rank = first + index;
      return Math.exp(upper * Math.log1p(-1 / (count - rank + 1)));
    });
  }

  /** `ascending` has as many values as this was made for, in ascending order. */
  draw(ascending: Float64Array, random: Random): number {
    const uniform = random.nextOpen();
    let index = this.#guide[Math.floor(uniform * this.#guide.length)]!;
    while (this.#cumulative[index]! < uniform) index++;
    const low = ascending[this.#firstRank + index - 1]!;
    if (this.#count % 2 === 1) return low;
    if (random.nextOpen() >= this.#moves[index]!) return low;

    const goal = random.nextOpen();
    let beyond = 1;
    do beyond *= this.#passes[++index] ?? 0;
    while (beyond >= goal);
    return (low + ascending[Math.min(this.#count, this.#firstRank + index) - 1]!) / 2;
  }
}

/**
 * How often the lower middle value of a resample of `count` has each rank, up to a common factor, for the ranks that
 * matter; and the logarithm of uᵐ⁻¹(1 − u)ⁿ⁻ᵐ at its mode, by which the masses are scaled.
 */
export function lowerMiddleRanks(count: number): { first: number; masses: Float64Array; peak: number } {
  const lower = (count + 1) >> 1;
  const density = logDensity(lower - 1, count - lower);
  const mode = count === 1 ? 0.5 : (lower - 1) / (count - 1);
  const peak = density(mode);
  return { ...rankMasses(count, mode, (u) => Math.exp(density(u) - peak)), peak };
}

/** The logarithm of uᵃ(1 − u)ᵇ. */
function logDensity(a: number, b: number): (u: number) => number {
  return (u) => (a === 0 ? 0 : a * Math.log(u)) + (b === 0 ? 0 : b * Math.log1p(-u));
}

/**
 * The density's integral over each ((rank − 1)/n, rank/n], for the ranks around the mode that matter. The rule is
 * exact up to degree 15, and for larger n an interval is a small part (2/√n) of the density's width.
 */
function rankMasses(
  count: number,
  mode: number,
  density: (u: number) => number,
): { first: number; masses: Float64Array } {
  const mass = (rank: number): number => gaussLegendre((rank - 1) / count, rank / count, density);
  const centre = Math.min(count, Math.floor(mode * count) + 1);
  const masses = [mass(centre)];
  // Ranks this rare lie below the resolution of a 32-bit uniform.
  const negligible = masses[0]! * 1e-12;
  let first = centre;
  for (let rank = centre - 1; rank >= 1; rank--) {
    const next = mass(rank);
    if (next < negligible) break;
    masses.push(next);
    first = rank;
  }
  masses.reverse();
  for (let rank = centre + 1; rank <= count; rank++) {
    const next = mass(rank);
    if (next < negligible) break;
    masses.push(next);
  }
  return { first, masses: Float64Array.from(masses) };
}

function cumulativeShares(masses: Float64Array): Float64Array {
  let total = 0;
  const cumulative = masses.map((mass) => (total += mass));
  const shares = cumulative.map((sum) => sum / total);
  shares[shares.length - 1] = 1;
  return shares;
}

function guideTable(cumulative: Float64Array): Uint32Array {
  const guide = new Uint32Array(4 * cumulative.length);
  let index = 0;
  for (let slot = 0; slot < guide.length; slot++) {
    while (cumulative[index]! < slot / guide.length) index++;
    guide[slot] = index;
  }
  return guide;
}
