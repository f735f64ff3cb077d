import type { Measurement, SeriesSummary } from '../model/samples.ts';
import { median } from '../stats/quantile.ts';

/**
 * Why a pair with a side that is only summed up cannot be judged; nothing where both sides have samples, or where one
 * has neither samples nor a summary. An interval would need samples, and none are made up from a mean.
 */
export function onlySummarized(baseline: Measurement, candidate: Measurement): string | undefined {
  const before = isOnlySummary(baseline);
  const after = isOnlySummary(candidate);
  if (!before && !after) return undefined;
  if (before && after) return sentence('both sides have only summaries', 'both of them');
  return before
    ? sentence('the baseline has only a summary', 'its tool')
    : sentence('the candidate has only a summary', 'its tool');
}

function sentence(what: string, whose: string): string {
  return `${what}, and how sure a change is cannot be told without the samples; have ${whose} write them, or measure with Pawl.`;
}

function isOnlySummary({ series, summaries = [] }: Measurement): boolean {
  return series.length === 0 && summaries.length > 0;
}

/** The middle of what the summaries give: their median where they have one, else their mean, else the figure as given. */
export function summaryLevel_ms(summaries: readonly SeriesSummary[]): number | undefined {
  const levels = summaries.flatMap(
    ({ median_ms, mean_ms, unstated_ms }) => median_ms ?? mean_ms ?? unstated_ms ?? [],
  );
  return levels.length === 0 ? undefined : median(levels);
}
