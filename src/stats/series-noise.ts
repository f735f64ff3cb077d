import { median } from './quantile.ts';
import { qnScale } from './qn-scale.ts';

export interface SeriesNoise {
  /** Standard deviation of a value about its level. */
  readonly deviation: number;
  /** What the variance of a level's mean is multiplied with because neighbours resemble each other; 1 where not. */
  readonly inflation: number;
}

/** Up to here Qn is worth its quadratic cost; beyond, the MAD's lower efficiency no longer shows. */
const MOST_FOR_QN = 300;
/** Makes the median of |x| estimate a normal distribution's standard deviation: 1/Φ⁻¹(¾). */
const NORMAL_CONSISTENCY = 1.4826;
/** A φ from fewer differences is chance. */
const LEAST_FOR_CORRELATION = 30;
const MOST_CORRELATION = 0.8;
/** Half of how much the ratio of the two variances scatters over √n where neighbours are independent. */
const RATIO_SCATTER = 1.2;

/**
 * The noise of a series whose level may change: from differences of neighbours, of which a step or an outlier spoils
 * one or two, and a drift none. Differences over two places against those over one tell how values depend on their
 * neighbours: for a first-order autoregression their variances' ratio is 1 + φ, and a mean's variance grows by
 * (1 + φ)/(1 − φ).
 */
export function seriesNoise(values: Float64Array): SeriesNoise {
  if (values.length < 3) throw new RangeError('noise needs at least three values');
  const near = differenceVariance(values, 1);
  if (near === 0 || values.length < LEAST_FOR_CORRELATION)
    return { deviation: Math.sqrt(near), inflation: 1 };
  const excess = differenceVariance(values, 2) / near - 1 - RATIO_SCATTER / Math.sqrt(values.length);
  const phi = Math.min(MOST_CORRELATION, Math.max(0, excess));
  return { deviation: Math.sqrt(near / (1 - phi)), inflation: (1 + phi) / (1 - phi) };
}

/** Half the variance of differences over `lag` places: that of a value, where values are independent. */
function differenceVariance(values: Float64Array, lag: number): number {
  const differences = values.subarray(lag).map((value, index) => value - values[index]!);
  if (differences.length > MOST_FOR_QN) {
    return (NORMAL_CONSISTENCY * median(differences.map(Math.abs))) ** 2 / 2;
  }
  return (differences.length < 2 ? Math.abs(differences[0]!) : qnScale(differences)) ** 2 / 2;
}
