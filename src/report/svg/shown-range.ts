import { quantileOfSorted } from '../../stats/quantile.ts';

/** Fewer values have no outliers that could be told from the rest. */
const FEW = 5;
/** Tukey's fence, in interquartile ranges (Exploratory Data Analysis, 1977), of the logarithms of times. */
const FENCE = 1.5;
/** Slower than this multiple of what a reader compares with is slow, however slow it is. */
const SLOW = 1.5;

/**
 * The range of times that a plot of trials shows: all that `marks` name, and the trials without outliers. One lucky
 * time or one hopeless variant must not squash the others.
 */
export function shownRange(times_ms: readonly number[], marks_ms: readonly number[]): [number, number] {
  const all = [...times_ms, ...marks_ms];
  const [least, most] = [Math.min(...all), Math.max(...all)];
  if (times_ms.length < FEW) return [least, most];
  const logs = times_ms.map(Math.log).toSorted((one, other) => one - other);
  const [low, high] = [quantileOfSorted(logs, 0.25), quantileOfSorted(logs, 0.75)];
  const reach = FENCE * (high - low);
  const slow = SLOW * (marks_ms.length === 0 ? Math.exp(quantileOfSorted(logs, 0.5)) : Math.max(...marks_ms));
  return [
    Math.min(Math.max(least, Math.exp(low - reach)), ...marks_ms),
    Math.max(Math.min(most, Math.exp(high + reach), slow), ...marks_ms),
  ];
}
