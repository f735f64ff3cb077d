import { sorted } from './order.ts';
import { quantileOfSorted } from './quantile.ts';

/** Equal bins from `low` to `high`, and how many values lie outside them. */
export interface Histogram {
  readonly low: number;
  readonly high: number;
  readonly counts: readonly number[];
  readonly below: number;
  readonly above: number;
}

/**
 * Counts in equal bins over the part of the sample that is not far out. Far out is beyond Tukey's outer fences,
 * three interquartile ranges from the quartiles ("Exploratory Data Analysis", 1977, section 2E): one sample at
 * ten times the median would otherwise squeeze all others into one bin. Those outside are counted, not dropped.
 */
export function histogram(values: ArrayLike<number>, bins: number): Histogram {
  if (!Number.isSafeInteger(bins) || bins < 1) throw new RangeError(`bins is at least 1, not ${bins}`);
  const ascending = sorted(values);
  const { low, high } = outerFences(ascending);
  const counts = Array.from({ length: bins }, () => 0);
  let below = 0;
  let above = 0;
  for (const value of ascending) {
    if (value < low) below++;
    else if (value > high) above++;
    else counts[binOf(value, low, high, bins)]! += 1;
  }
  return { low, high, counts, below, above };
}

function binOf(value: number, low: number, high: number, bins: number): number {
  return high === low ? 0 : Math.min(bins - 1, Math.floor(((value - low) / (high - low)) * bins));
}

/** The fences, drawn in to the outermost values inside them; the whole range where half the values are equal. */
function outerFences(ascending: Float64Array): { low: number; high: number } {
  const first = ascending[0]!;
  const last = ascending[ascending.length - 1]!;
  const lowerQuartile = quantileOfSorted(ascending, 0.25);
  const upperQuartile = quantileOfSorted(ascending, 0.75);
  const reach = 3 * (upperQuartile - lowerQuartile);
  if (reach === 0) return { low: first, high: last };
  return {
    low: ascending.find((value) => value >= lowerQuartile - reach) ?? first,
    high: ascending.findLast((value) => value <= upperQuartile + reach) ?? last,
  };
}
