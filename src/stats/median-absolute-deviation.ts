import { sorted } from './order.ts';
import { quantileInPlace, quantileOfSorted } from './quantile.ts';

/** 1 / Φ⁻¹(3/4): makes the MAD estimate the standard deviation of a normal distribution. */
const NORMAL_CONSISTENCY = 1.4826022185056018;

/**
 * The median absolute deviation from the median, on the scale of a standard deviation (Hampel, "The influence curve
 * and its role in robust estimation", JASA 69(346), 1974). Up to half the values may be anything. `qnScale` is the
 * better choice for few values; this one is linear after the sort.
 */
export function medianAbsoluteDeviation(values: ArrayLike<number>): number {
  const ascending = sorted(values);
  const middle = quantileOfSorted(ascending, 0.5);
  return (
    NORMAL_CONSISTENCY *
    quantileInPlace(
      ascending.map((value) => Math.abs(value - middle)),
      0.5,
    )
  );
}
