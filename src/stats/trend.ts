import { normalQuantile, normalUpperTail } from './normal.ts';
import { finiteCopy, selectInPlace } from './order.ts';
import { quantileInPlace } from './quantile.ts';

export interface Trend {
  /** Pairs that rise less pairs that fall. */
  readonly s: number;
  /** Kendall's τ-a of value and place: s over the number of pairs. */
  readonly tau: number;
  /** Two-sided. */
  readonly p: number;
  /** The median slope over all pairs, per step. */
  readonly slope: number;
  readonly slopeLow: number;
  readonly slopeHigh: number;
}

/**
 * Does a series drift? The Mann-Kendall test (Mann, "Nonparametric tests against trend", Econometrica 13(3), 1945;
 * Kendall, "Rank Correlation Methods", 1970), its variance corrected for ties and half a pair for continuity, and the
 * Theil-Sen slope with its interval (Sen, "Estimates of the regression coefficient based on Kendall's tau", JASA
 * 63(324), 1968). It takes the values as independent but for the trend: a series correlated with itself drifts more
 * often than p says. Quadratic in the number of values.
 */
export function trend(values: ArrayLike<number>, options: { readonly confidence?: number } = {}): Trend {
  const { confidence = 0.95 } = options;
  if (!(confidence > 0 && confidence < 1)) {
    throw new RangeError(`confidence lies between 0 and 1, not at ${confidence}`);
  }
  const series = finiteCopy(values);
  const count = series.length;
  if (count < 3) throw new RangeError('a trend needs at least three values');
  const slopes = new Float64Array((count * (count - 1)) / 2);
  let s = 0;
  let filled = 0;
  for (let later = 1; later < count; later++) {
    for (let earlier = 0; earlier < later; earlier++) {
      const rise = series[later]! - series[earlier]!;
      s += Math.sign(rise);
      slopes[filled++] = rise / (later - earlier);
    }
  }
  const deviation = Math.sqrt(varianceOfS(series));
  const z = deviation === 0 ? 0 : Math.max(0, Math.abs(s) - 1) / deviation;
  // Sen's ranks, as SciPy's theilslopes rounds them.
  const reach = normalQuantile((1 + confidence) / 2) * deviation;
  const pairs = slopes.length;
  const lowRank = Math.max(0, Math.round((pairs - reach) / 2) - 1);
  const highRank = Math.min(pairs - 1, Math.round((pairs + reach) / 2));
  const slope = quantileInPlace(slopes, 0.5);
  const slopeLow = selectInPlace(slopes, lowRank);
  const slopeHigh = selectInPlace(slopes, highRank);
  return { s, tau: s / pairs, p: Math.min(1, 2 * normalUpperTail(z)), slope, slopeLow, slopeHigh };
}

function varianceOfS(series: Float64Array): number {
  const count = series.length;
  const ascending = series.slice().sort();
  let ties = 0;
  for (let at = 0; at < count;) {
    const from = at;
    while (at < count && ascending[at] === ascending[from]) at++;
    const size = at - from;
    ties += size * (size - 1) * (2 * size + 5);
  }
  return (count * (count - 1) * (2 * count + 5) - ties) / 18;
}
