import { intervalText, signedPercent } from '../model/text/change-text.ts';
import type { CaseComparison, CaseEstimate } from '../model/judge/comparison.ts';
import { deltaText, pText, timesOf } from './text/comparison-text.ts';

type ColumnId = 'baseline' | 'candidate' | 'change' | 'interval' | 'delta' | 'p' | 'processes';

/** A column of numbers. A case without an estimate has empty cells where there is nothing to say. */
export interface ComparisonColumn {
  readonly id: ColumnId;
  readonly header: string;
  readonly cell: (one: CaseComparison) => string;
}

export const COMPARISON_COLUMNS: readonly ComparisonColumn[] = [
  {
    id: 'baseline',
    header: 'baseline',
    cell: (one) => {
      const { baseline, candidate, unit } = timesOf(one);
      // The unit stands beside the last of the two.
      return baseline !== '' && candidate === '' ? `${baseline} ${unit}` : baseline;
    },
  },
  {
    id: 'candidate',
    header: 'candidate',
    cell: (one) => {
      const { candidate, unit } = timesOf(one);
      return candidate === '' ? '' : `${candidate} ${unit}`;
    },
  },
  {
    id: 'change',
    header: 'change %',
    cell: (one) => (one.state === 'estimated' ? signedPercent(one.change_pct) : ''),
  },
  {
    id: 'interval',
    header: 'interval %',
    cell: (one) => (one.state === 'estimated' ? intervalText(one.ci_pct) : ''),
  },
  { id: 'delta', header: 'δ', cell: (one) => (one.state === 'estimated' ? deltaText(one.cliffs_delta) : '') },
  { id: 'p', header: 'p adj', cell: (one) => (one.state === 'estimated' ? pText(one.p_adjusted) : '') },
  { id: 'processes', header: 'runs', cell: ({ processes: [base, head] }) => `${base}+${head}` },
];

const LEVEL_WORDS: Readonly<Record<CaseEstimate['level'], string>> = {
  'fastest-tenth': 'the mean of the fastest tenth',
  median: 'the median',
  mean: 'the mean',
  stated: 'the one value in its file',
};

/** What stands for a process, for the legend: the cases of one report nearly always share it. */
export function levelText(cases: readonly CaseComparison[]): string {
  const levels = new Set(cases.flatMap((one) => (one.state === 'estimated' ? one.level : [])));
  const asMeasured = cases.filter(
    (one) => one.state !== 'estimated' && (one.baseline_ms ?? one.candidate_ms) !== undefined,
  );
  const others =
    asMeasured.length === 0
      ? ''
      : `${levels.size === 0 ? 'Times' : 'Times of cases without a change %'} are medians of the processes’ medians.`;
  if (levels.size === 0) return others;
  const words = [...levels].map((level) => LEVEL_WORDS[level]);
  return `Times are ${words.join(' or ')} of each process's samples, over the processes. ${others}`.trimEnd();
}
