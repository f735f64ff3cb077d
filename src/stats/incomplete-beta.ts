import { stirlingError } from './log-gamma.ts';

/**
 * The regularised incomplete beta function I_x(a, b), which is P(B ≤ x) for B ~ Beta(a, b): the continued fraction
 * DLMF 8.17.22 by Lentz's method ("Generating Bessel functions in Mie scattering calculations", Applied Optics
 * 15(3), 1976), on the side of the mean where it converges within O(√max(a, b)) steps.
 */
export function incompleteBeta(x: number, a: number, b: number): number {
  if (!(x >= 0 && x <= 1)) throw new RangeError(`the incomplete beta function takes 0 ≤ x ≤ 1, not ${x}`);
  return betaTails(x, 1 - x, a, b).lower;
}

/**
 * I_x(a, b) and 1 − I_x(a, b), each without cancellation. `complement` is 1 − x, given apart because the caller may
 * know it to more digits.
 */
export function betaTails(
  x: number,
  complement: number,
  a: number,
  b: number,
): { lower: number; upper: number } {
  if (!(a > 0 && b > 0)) throw new RangeError(`the incomplete beta function takes a, b > 0, not ${a}, ${b}`);
  if (x <= 0) return { lower: 0, upper: 1 };
  if (complement <= 0) return { lower: 1, upper: 0 };
  const front = betaPower(x, complement, a, b);
  if (x < (a + 1) / (a + b + 2)) {
    const lower = (front / a) * betaFraction(x, complement, a, b);
    return { lower, upper: 1 - lower };
  }
  const upper = (front / b) * betaFraction(complement, x, b, a);
  return { lower: 1 - upper, upper };
}

/**
 * xᵃ(1 − x)ᵇ / B(a, b) by Loader's saddle-point form ("Fast and accurate computation of binomial probabilities",
 * 2000): differences of large logarithms never arise, so it holds 14 digits for a and b in the millions.
 */
function betaPower(x: number, complement: number, a: number, b: number): number {
  const sum = a + b;
  // a − (a + b)x, written so that it doesn't cancel where the density peaks.
  const offset = a * complement - b * x;
  const exponent =
    stirlingError(sum) -
    stirlingError(a) -
    stirlingError(b) -
    deviance(a, sum * x, offset) -
    deviance(b, sum * complement, -offset);
  return Math.exp(exponent) * Math.sqrt((a * b) / (2 * Math.PI * sum));
}

/** a·ln(a/m) + m − a given a − m, by Loader's series where a is near m and the plain form cancels. */
function deviance(a: number, m: number, offset: number): number {
  const ratio = offset / (a + m);
  if (Math.abs(ratio) >= 0.1) return a * Math.log(a / m) - offset;
  const square = ratio * ratio;
  let power = 2 * a * ratio;
  let sum = offset * ratio;
  for (let k = 1; ; k++) {
    power *= square;
    const next = sum + power / (2 * k + 1);
    if (next === sum) return sum;
    sum = next;
  }
}

const TINY = 1e-300;

function betaFraction(x: number, complement: number, a: number, b: number): number {
  let numerator = 1;
  // 1 − (a + b)x/(a + 1), which is next to nothing for large a.
  let denominator = away((1 + a * complement - b * x) / (a + 1));
  let value = 1 / denominator;
  denominator = 1 / denominator;
  const limit = 1000 + 20 * Math.sqrt(Math.max(a, b));
  for (let m = 1; m <= limit; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    denominator = 1 / away(1 + even * denominator);
    numerator = away(1 + even / numerator);
    value *= denominator * numerator;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    denominator = 1 / away(1 + odd * denominator);
    numerator = away(1 + odd / numerator);
    const factor = denominator * numerator;
    value *= factor;
    if (Math.abs(factor - 1) < 2e-16) break;
  }
  return value;
}

function away(value: number): number {
  return Math.abs(value) < TINY ? TINY : value;
}
