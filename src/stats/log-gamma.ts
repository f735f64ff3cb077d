/** ln √(2π). */
const HALF_LOG_TWO_PI = 0.9189385332046728;

/** Bernoulli numbers B₂ₖ / (2k(2k − 1)), the coefficients of Stirling's series (DLMF 5.11.1). */
const STIRLING = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156, -3617 / 122400];

/** From here on eight terms of the series leave less than a double can hold. */
const SERIES_FROM = 11;

/** ln Γ(x) for x > 0: Stirling's series (DLMF 5.11.1), reached from below by Γ(x + 1) = x·Γ(x). */
export function logGamma(x: number): number {
  if (!(x > 0)) throw new RangeError(`ln Γ is taken of positive numbers, not ${x}`);
  if (x === 1 || x === 2) return 0;
  let shift = 1;
  let at = x;
  while (at < SERIES_FROM) shift *= at++;
  return (at - 0.5) * Math.log(at) - at + HALF_LOG_TWO_PI + series(at) - Math.log(shift);
}

/** What Stirling's formula for n! leaves out: ln n! − ln(√(2πn) (n/e)ⁿ), without cancellation for large n. */
export function stirlingError(n: number): number {
  if (n >= SERIES_FROM) return series(n);
  return logGamma(n + 1) - ((n + 0.5) * Math.log(n) - n + HALF_LOG_TWO_PI);
}

function series(x: number): number {
  const inverseSquare = 1 / (x * x);
  let sum = 0;
  for (let k = STIRLING.length - 1; k >= 0; k--) sum = sum * inverseSquare + STIRLING[k]!;
  return sum / x;
}
