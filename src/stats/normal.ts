const SQRT_HALF = Math.SQRT1_2;
const INVERSE_SQRT_TWO_PI = 0.3989422804014327;

/** The density of the standard normal distribution. */
export function normalDensity(z: number): number {
  return INVERSE_SQRT_TWO_PI * Math.exp(-0.5 * z * z);
}

/** P(Z ≤ z) of the standard normal distribution, to a relative error of about 1e-14 in both tails. */
export function normalCdf(z: number): number {
  return normalUpperTail(-z);
}

/** P(Z > z) of the standard normal distribution. */
export function normalUpperTail(z: number): number {
  if (Number.isNaN(z)) throw new RangeError('a probability needs a number, not NaN');
  const x = z * SQRT_HALF;
  return x < 0 ? 1 - 0.5 * complementaryError(-x) : 0.5 * complementaryError(x);
}

/** Where erfc's fraction starts to converge quickly, and 1 − erf has lost two digits. */
const FRACTION_FROM = 2;

/** erfc(x) for x ≥ 0: 1 − erf by the series DLMF 7.6.2, or the continued fraction DLMF 7.9.1. */
function complementaryError(x: number): number {
  if (x >= FRACTION_FROM) return tailFraction(x);
  const square = x * x;
  let term = x;
  let sum = x;
  for (let k = 1; term > sum * 1e-17; k++) {
    term *= (2 * square) / (2 * k + 1);
    sum += term;
  }
  return 1 - (2 / Math.sqrt(Math.PI)) * Math.exp(-square) * sum;
}

/** Evaluated from the inside; 100 levels are enough for x ≥ 2 and fewer for larger x. */
function tailFraction(x: number): number {
  if (x > 40) return 0;
  let fraction = x;
  for (let k = Math.ceil(20 + 320 / (x * x)); k >= 1; k--) fraction = x + k / 2 / fraction;
  return exponentOfMinusSquare(x) / (Math.sqrt(Math.PI) * fraction);
}

/** e^(−x²) with x² split exactly in two, for in the tail the rounding of x² is what costs digits. */
function exponentOfMinusSquare(x: number): number {
  const high = Math.round(x * 16) / 16;
  return Math.exp(-high * high) * Math.exp(-(x - high) * (x + high));
}

/**
 * The z with P(Z ≤ z) = p: Hastings' rational start (Abramowitz & Stegun 26.2.23, good to 4.5e-4), then Halley's
 * iteration on the distribution itself.
 */
export function normalQuantile(p: number): number {
  if (!(p >= 0 && p <= 1)) throw new RangeError(`a probability lies between 0 and 1, not at ${p}`);
  if (p === 0) return -Infinity;
  if (p === 1) return Infinity;
  if (p === 0.5) return 0;
  // 1 − p is exact for p in [½, 1], so the upper half loses nothing by mirroring.
  return p < 0.5 ? lowerQuantile(p) : -lowerQuantile(1 - p);
}

function lowerQuantile(p: number): number {
  const t = Math.sqrt(-2 * Math.log(p));
  let z =
    (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))) - t;
  for (let i = 0; i < 3; i++) {
    const density = normalDensity(z);
    if (density === 0) break;
    const step = (normalCdf(z) - p) / density;
    z -= step / (1 + (z * step) / 2);
  }
  return z;
}
