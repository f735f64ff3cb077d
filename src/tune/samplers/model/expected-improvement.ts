const INVERSE_SQRT_TWO_PI = 0.3989422804014327;

/**
 * Expected improvement of a normal prediction below `best` (Jones, Schonlau & Welch, 1998). The normal distribution is
 * Abramowitz & Stegun's 7.1.26, good to 1.5e-7 and quick; far out in the tail it is the first term of the asymptotic
 * series, so that hopeless candidates still have an order.
 */
export function expectedImprovement(mean: number, deviation: number, best: number): number {
  const z = (best - mean) / deviation;
  const density = INVERSE_SQRT_TWO_PI * Math.exp(-0.5 * z * z);
  if (z < -5) return (deviation * density) / (z * z + 2);
  const x = Math.abs(z) * Math.SQRT1_2;
  const t = 1 / (1 + 0.3275911 * x);
  const series =
    ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t;
  const tail = 0.5 * series * Math.exp(-x * x);
  return deviation * (z * (z >= 0 ? 1 - tail : tail) + density);
}
