import { finiteCopy } from './order.ts';

/**
 * The autocorrelation at lags 0 … maxLag, each sum divided by n (Box & Jenkins, "Time Series Analysis", 1970, section
 * 2.1.5). Values without any variation are uncorrelated by this function: 1 at lag 0, then 0.
 */
export function autocorrelation(values: ArrayLike<number>, maxLag: number): Float64Array {
  if (!Number.isSafeInteger(maxLag) || maxLag < 0 || maxLag >= values.length) {
    throw new RangeError(`a lag is a whole number below the number of values, not ${maxLag}`);
  }
  const centred = centre(values);
  return Float64Array.from({ length: maxLag + 1 }, (_, lag) => correlationAt(centred, lag));
}

/**
 * How many independent values would fix the mean as well as these do: n over the integrated autocorrelation time,
 * by Geyer's initial monotone sequence ("Practical Markov chain Monte Carlo", Statistical Science 7(4), 1992,
 * section 3.3): the correlations are added in pairs of neighbouring lags until a pair isn't positive, no pair
 * counting more than the one before it. At most n: what alternation would gain is not claimed.
 */
export function effectiveSampleSize(values: ArrayLike<number>): number {
  const centred = centre(values);
  const count = centred.length;
  let sum = 0;
  let previous = Infinity;
  for (let lag = 0; lag + 1 < count; lag += 2) {
    const pair = correlationAt(centred, lag) + correlationAt(centred, lag + 1);
    if (pair <= 0) break;
    previous = Math.min(previous, pair);
    sum += previous;
  }
  return count / Math.max(1, 2 * sum - 1);
}

interface Centred {
  readonly length: number;
  readonly deviations: Float64Array;
  readonly squares: number;
}

function centre(values: ArrayLike<number>): Centred {
  const deviations = finiteCopy(values);
  let mean = 0;
  for (let i = 0; i < deviations.length; i++) mean += (deviations[i]! - mean) / (i + 1);
  let squares = 0;
  for (let i = 0; i < deviations.length; i++) {
    deviations[i]! -= mean;
    squares += deviations[i]! ** 2;
  }
  return { length: deviations.length, deviations, squares };
}

function correlationAt({ deviations, squares }: Centred, lag: number): number {
  if (lag === 0) return 1;
  if (squares === 0) return 0;
  let products = 0;
  for (let i = lag; i < deviations.length; i++) products += deviations[i]! * deviations[i - lag]!;
  return products / squares;
}
