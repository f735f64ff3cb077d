import { betaTails } from './incomplete-beta.ts';
import { logGamma } from './log-gamma.ts';
import { normalCdf, normalDensity, normalQuantile } from './normal.ts';

/** P(T ≤ t) for Student's t with `df` degrees of freedom, which need not be whole; infinite is the normal. */
export function studentTCdf(t: number, df: number): number {
  return studentTUpperTail(-t, df);
}

/**
 * P(T > t) for Student's t, as an incomplete beta function (Abramowitz & Stegun 26.7.1), to a relative error of 1e-11
 * for up to 10,000 degrees of freedom and 1e-9 for ten million.
 */
export function studentTUpperTail(t: number, df: number): number {
  checkDegrees(df);
  if (Number.isNaN(t)) throw new RangeError('a probability needs a number, not NaN');
  if (df === Infinity) return normalCdf(-t);
  if (t === Infinity) return 0;
  if (t === -Infinity) return 1;
  const square = t * t;
  const total = df + square;
  const both = total === Infinity ? 0 : betaTails(df / total, square / total, df / 2, 0.5).lower;
  return t > 0 ? both / 2 : 1 - both / 2;
}

/** P(|T| > |t|). */
export function studentTTwoSided(t: number, df: number): number {
  return Math.min(1, 2 * studentTUpperTail(Math.abs(t), df));
}

/** The density of Student's t (Abramowitz & Stegun 26.7.1). */
function studentTDensity(t: number, df: number): number {
  checkDegrees(df);
  if (df === Infinity) return normalDensity(t);
  const logScale = logGammaHalfStep(df) - 0.5 * Math.log(df * Math.PI);
  return Math.exp(logScale - 0.5 * (df + 1) * Math.log1p((t * t) / df));
}

/** ln Γ((df + 1)/2) − ln Γ(df/2); for large df the two cancel, and its expansion DLMF 5.11.13 is used. */
function logGammaHalfStep(df: number): number {
  if (df < 1000) return logGamma((df + 1) / 2) - logGamma(df / 2);
  return 0.5 * Math.log(df / 2) - 1 / (4 * df);
}

/**
 * The t with P(T ≤ t) = p, by Newton's iteration on the upper tail. That is convex for t > 0, and the normal
 * quantile lies left of the answer because t's tails are heavier, so the iteration climbs to it from one side.
 */
export function studentTQuantile(p: number, df: number): number {
  checkDegrees(df);
  const z = normalQuantile(p);
  if (df === Infinity || z === 0 || !Number.isFinite(z)) return z;
  // 1 − p is exact for p in [½, 1].
  const tail = p < 0.5 ? p : 1 - p;
  let t = Math.abs(z);
  for (;;) {
    const step = (studentTUpperTail(t, df) - tail) / studentTDensity(t, df);
    if (!(step > 4e-16 * t)) return p < 0.5 ? -t : t;
    t += step;
  }
}

function checkDegrees(df: number): void {
  if (!(df > 0)) throw new RangeError(`degrees of freedom are positive, not ${df}`);
}
