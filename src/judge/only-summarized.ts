import type { Measurement, SeriesSummary } from '../model/measure/samples.ts';
import { median } from '../stats/quantile.ts';
import { isOnlySummary } from './summarized-pair.ts';

/**
 * Why a pair with a side that is only summed up cannot be judged: the two state no figure in common. Nothing where
 * both sides have samples, or where one has neither samples nor a summary.
 */
export function onlySummarized(baseline: Measurement, candidate: Measurement): string | undefined {
  if (!isOnlySummary(baseline) && !isOnlySummary(candidate)) return undefined;
  if (baseline.series.length + (baseline.summaries?.length ?? 0) === 0) return undefined;
  if (candidate.series.length + (candidate.summaries?.length ?? 0) === 0) return undefined;
  return 'the two sides have different statistics, such as a mean and a median, and none in common; have their tools write the same one, or measure with Pawl.';
}

/** The middle of what the summaries give: their median where they have one, else their mean, else the figure as given. */
export function summaryLevel_ms(summaries: readonly SeriesSummary[]): number | undefined {
  const levels = summaries.flatMap(
    ({ median_ms, mean_ms, unstated_ms }) => median_ms ?? mean_ms ?? unstated_ms ?? [],
  );
  return levels.length === 0 ? undefined : median(levels);
}
