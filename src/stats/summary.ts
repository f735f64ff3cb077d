import { sorted } from './order.ts';
import { quantileOfSorted } from './quantile.ts';

/** The statistics of one sample. All but `count` and `coefficientOfVariation` are in the sample's unit. */
export interface Summary {
  readonly count: number;
  readonly mean: number;
  readonly standardDeviation: number;
  /** Standard deviation over mean, as a fraction. */
  readonly coefficientOfVariation: number;
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** The arithmetic mean, by the running update that neither overflows nor loses a long sample's small values. */
export function mean(values: ArrayLike<number>): number {
  return moments(values).mean;
}

/** With n − 1 in the denominator (Bessel). Undefined for a single value: NaN. */
export function standardDeviation(values: ArrayLike<number>): number {
  return moments(values).standardDeviation;
}

/** Standard deviation over mean, as a fraction. */
export function coefficientOfVariation(values: ArrayLike<number>): number {
  const { mean, standardDeviation } = moments(values);
  return standardDeviation / mean;
}

export function summary(values: ArrayLike<number>): Summary {
  const ascending = sorted(values);
  const { mean, standardDeviation } = moments(ascending);
  return {
    count: ascending.length,
    mean,
    standardDeviation,
    coefficientOfVariation: standardDeviation / mean,
    median: quantileOfSorted(ascending, 0.5),
    min: ascending[0]!,
    max: ascending[ascending.length - 1]!,
  };
}

/** Welford's recurrence ("Note on a method for calculating corrected sums of squares", Technometrics 4(3), 1962). */
export function moments(values: ArrayLike<number>): { mean: number; standardDeviation: number } {
  if (values.length === 0) throw new RangeError('a statistic of no values is undefined');
  let mean = 0;
  let squares = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (!Number.isFinite(value)) throw new RangeError(`a statistic needs finite values, not ${value}`);
    const distance = value - mean;
    mean += distance / (i + 1);
    squares += distance * (value - mean);
  }
  return { mean, standardDeviation: Math.sqrt(squares / (values.length - 1)) };
}
