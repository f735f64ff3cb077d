import { qnScale } from './qn-scale.ts';
import { median } from './quantile.ts';

export interface SeriesNoise {
  /** Standard deviation of a typical value about its level. */
  readonly deviation: number;
  /** The variance of each value about its level. */
  readonly variances: Float64Array;
  /** What the variance of a level's mean is multiplied with because neighbours resemble each other; 1 where not. */
  readonly inflation: number;
}

/** Up to here Qn is worth its quadratic cost; beyond, the MAD's lower efficiency no longer shows. */
const MOST_FOR_QN = 300;
/** Makes the median of |x| estimate a normal distribution's standard deviation: 1/Φ⁻¹(¾). */
const NORMAL_CONSISTENCY = 1.4826;
/** Errors that differ by less than this factor weigh alike. */
const ALIKE = 1.5;
/** Halves what is left of the between-values variance so often: to a thousandth of the noise. */
const HALVINGS = 20;
/** A φ from fewer differences is chance. */
const LEAST_FOR_CORRELATION = 30;
const MOST_CORRELATION = 0.8;
/**
 * Over √n, this much of the ratio is put down to chance. By simulation it scatters by 1.6 to 2.0 where neighbours are
 * independent; taking off all of that would leave half of a real correlation unseen.
 */
const RATIO_SCATTER = 1.2;

/**
 * The noise of a series whose level may change: from differences of neighbours, of which a step or an outlier spoils
 * one or two, and a drift none. A value's variance is its own error's and one that all share, such that neighbours
 * differ as much as they do; where they differ less than their errors say, all errors are too large by one factor.
 */
export function seriesNoise(values: Float64Array, errors: ArrayLike<number>): SeriesNoise {
  if (values.length < 3) throw new RangeError('noise needs at least three values');
  const own = Float64Array.from(errors, (error) => error ** 2);
  const near = spreadOf(differences(values, 1)) ** 2 / 2;
  const variances = sharedNoise(values, own, near);
  return { deviation: Math.sqrt(median(variances)), variances, inflation: inflationOf(values, near) };
}

function sharedNoise(values: Float64Array, own: Float64Array, near: number): Float64Array {
  const least = own.reduce((one, other) => Math.min(one, other));
  const most = own.reduce((one, other) => Math.max(one, other));
  if (most <= ALIKE ** 2 * least || most === 0) {
    const typical = median(own);
    const shared = Math.max(0, near - typical);
    const scale = typical + shared === 0 ? 0 : near / (typical + shared);
    return own.map((square) => scale * (square + shared));
  }
  const steps = differences(values, 1);
  const excess = (shared: number): number =>
    spreadOf(steps.map((step, at) => step / Math.sqrt(own[at]! + own[at + 1]! + 2 * shared || 1)));
  let [low, high] = [0, near + most];
  const factor = excess(0);
  if (factor <= 1) return own.map((square) => factor ** 2 * square);
  for (let halving = 0; halving < HALVINGS; halving++) {
    const middle = (low + high) / 2;
    if (excess(middle) > 1) low = middle;
    else high = middle;
  }
  return own.map((square) => square + high);
}

/**
 * Differences over two places against those over one tell how values depend on their neighbours: for a first-order
 * autoregression their variances' ratio is 1 + φ, and a mean's variance grows by about (1 + φ)/(1 − φ); that of a value
 * is 1/(1 − φ) of what its nearest differences show.
 */
function inflationOf(values: Float64Array, near: number): number {
  if (near === 0 || values.length < LEAST_FOR_CORRELATION) return 1;
  const far = spreadOf(differences(values, 2)) ** 2 / 2;
  const excess = far / near - 1 - RATIO_SCATTER / Math.sqrt(values.length);
  const phi = Math.min(MOST_CORRELATION, Math.max(0, excess));
  return (1 + phi) / (1 - phi) ** 2;
}

function differences(values: Float64Array, lag: number): Float64Array {
  return values.subarray(lag).map((value, index) => value - values[index]!);
}

/** About 0, as differences are. */
function spreadOf(steps: Float64Array): number {
  if (steps.length > MOST_FOR_QN) return NORMAL_CONSISTENCY * median(steps.map(Math.abs));
  return steps.length < 2 ? Math.abs(steps[0]!) : qnScale(steps);
}
