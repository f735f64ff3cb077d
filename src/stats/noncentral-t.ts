import { gaussLegendre } from './gauss-legendre.ts';
import { logGamma } from './log-gamma.ts';
import { normalCdf } from './normal.ts';

/**
 * P(T ≤ t) for the noncentral t distribution, by its definition as (Z + δ)/S with S = √(χ²/df): the normal
 * probability averaged over the density of S (Owen, "A survey of properties and applications of the noncentral
 * t-distribution", Technometrics 10(3), 1968). Good to an absolute error of 1e-10.
 */
export function noncentralTCdf(t: number, df: number, noncentrality: number): number {
  if (!(df >= 1)) throw new RangeError(`the noncentral t distribution is for df ≥ 1 here, not ${df}`);
  const logScale = Math.LN2 + (df / 2) * Math.log(df / 2) - logGamma(df / 2);
  const weighted = (s: number): number =>
    Math.exp(logScale + (df - 1) * Math.log(s) - (df * s * s) / 2) * normalCdf(t * s - noncentrality);
  // S has mean near 1 and standard deviation at most 1/√(2 df); nine of them leave out less than 1e-12.
  const reach = 9 / Math.sqrt(2 * df);
  const low = Math.max(0, 1 - reach);
  const width = (1 + reach - low) / PANELS;
  let sum = 0;
  for (let panel = 0; panel < PANELS; panel++) {
    sum += gaussLegendre(low + panel * width, low + (panel + 1) * width, weighted);
  }
  return Math.min(1, sum);
}

/** Panels of the quadrature: each is less than half a standard deviation of S wide. */
const PANELS = 40;
