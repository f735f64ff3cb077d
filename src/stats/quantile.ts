import { selectInPlace, sorted } from './order.ts';

/**
 * The quantile at `probability` by linear interpolation between order statistics: type 7 of Hyndman & Fan
 * ("Sample quantiles in statistical packages", The American Statistician 50(4), 1996), the default of NumPy and R.
 */
export function quantile(values: ArrayLike<number>, probability: number): number {
  return quantileOfSorted(sorted(values), probability);
}

/** The same, of values already in ascending order: for several quantiles of one sample. */
export function quantileOfSorted(ascending: ArrayLike<number>, probability: number): number {
  const { below, fraction } = position(ascending.length, probability);
  const low = ascending[below]!;
  return fraction === 0 ? low : interpolate(low, ascending[below + 1]!, fraction);
}

/** The same, of a scratch array whose order may be changed: selects instead of sorting. */
export function quantileInPlace(scratch: Float64Array, probability: number): number {
  const { below, fraction } = position(scratch.length, probability);
  const low = selectInPlace(scratch, below);
  if (fraction === 0) return low;
  let next = scratch[below + 1]!;
  for (let i = below + 2; i < scratch.length; i++) next = Math.min(next, scratch[i]!);
  return interpolate(low, next, fraction);
}

export function median(values: ArrayLike<number>): number {
  return quantile(values, 0.5);
}

function position(length: number, probability: number): { below: number; fraction: number } {
  if (length === 0) throw new RangeError('a quantile of no values is undefined');
  if (!(probability >= 0 && probability <= 1)) {
    throw new RangeError(`a quantile's probability lies between 0 and 1, not at ${probability}`);
  }
  const place = (length - 1) * probability;
  const below = Math.floor(place);
  return { below, fraction: place - below };
}

/** Written from the nearer end, so that equal neighbours give exactly their value and none lies outside them. */
function interpolate(low: number, high: number, fraction: number): number {
  const step = high - low;
  return fraction < 0.5 ? low + step * fraction : high - step * (1 - fraction);
}
