/** A series with the variance of each of its values. */
export interface Weighted {
  readonly values: Float64Array;
  readonly variances: Float64Array;
  /** Standard deviation between values beyond their own errors. */
  readonly noise: number;
  /** How many standard deviations a value counts for at most. */
  readonly cutoff: number;
}

/** A level or a line through values[start, end). */
export interface Fitted {
  readonly middle: number;
  /** Per place; 0 for a level. */
  readonly slope: number;
  /** Where the line's height and slope are independent: the weighted mean place. */
  readonly pivot: number;
  readonly middleVariance: number;
  readonly slopeVariance: number;
  /** Squared standard deviations, each value's bounded by the cutoff's. */
  readonly cost: number;
}

/** Refits settle in two or three rounds; a cycle of two sets of inliers must end too. */
const MOST_ROUNDS = 20;

export function fitLevel(series: Weighted, start: number, end: number): Fitted {
  return refit(series, start, end, weightedMedian(series, start, end), 0, (start + end - 1) / 2, false);
}

/** `from` and `to`: heights at both ends to begin with. */
export function fitLine(series: Weighted, start: number, end: number, from: number, to: number): Fitted {
  const slope = (to - from) / (end - 1 - start);
  return refit(series, start, end, (from + to) / 2, slope, (start + end - 1) / 2, true);
}

export function heightAt({ middle, slope, pivot }: Fitted, index: number): number {
  return middle + slope * (index - pivot);
}

export function varianceAt({ middleVariance, slopeVariance, pivot }: Fitted, index: number): number {
  return middleVariance + slopeVariance * (index - pivot) ** 2;
}

/** Least squares over the values within the cutoff of the last fit, until these stay the same. */
function refit(
  series: Weighted,
  start: number,
  end: number,
  middle: number,
  slope: number,
  pivot: number,
  isLine: boolean,
): Fitted {
  const { values, variances, cutoff } = series;
  let fit: Fitted = { middle, slope, pivot, middleVariance: Infinity, slopeVariance: 0, cost: Infinity };
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const last = fit;
    let weights = 0;
    let places = 0;
    let heights = 0;
    let squares = 0;
    let products = 0;
    for (let at = start; at < end; at++) {
      const residual = values[at]! - heightAt(last, at);
      if (residual * residual > cutoff * cutoff * variances[at]!) continue;
      const weight = 1 / variances[at]!;
      const place = at - start;
      const height = values[at]! - last.middle;
      weights += weight;
      places += weight * place;
      heights += weight * height;
      squares += weight * place * place;
      products += weight * place * height;
    }
    if (weights === 0) break;
    const centre = places / weights;
    const spread = squares - centre * places;
    const tilt = isLine && spread > 0 ? (products - centre * heights) / spread : 0;
    const found = {
      middle: last.middle + heights / weights,
      slope: tilt,
      pivot: start + centre,
      middleVariance: 1 / weights,
      slopeVariance: isLine && spread > 0 ? 1 / spread : 0,
    };
    const cost = costOf(series, start, end, found);
    if (!(cost < fit.cost - 1e-9)) break;
    fit = { ...found, cost };
  }
  return fit;
}

function costOf(
  { values, variances, cutoff }: Weighted,
  start: number,
  end: number,
  fit: Omit<Fitted, 'cost'>,
): number {
  let cost = 0;
  for (let at = start; at < end; at++) {
    const residual = values[at]! - (fit.middle + fit.slope * (at - fit.pivot));
    cost += Math.min((residual * residual) / variances[at]!, cutoff * cutoff);
  }
  return cost;
}

function weightedMedian({ values, variances }: Weighted, start: number, end: number): number {
  const order = Array.from({ length: end - start }, (_, k) => start + k).sort(
    (a, b) => values[a]! - values[b]!,
  );
  const half = order.reduce((sum, at) => sum + 1 / variances[at]!, 0) / 2;
  let sum = 0;
  for (const at of order) {
    sum += 1 / variances[at]!;
    if (sum >= half) return values[at]!;
  }
  return values[order.at(-1)!]!;
}
