/** Cases that were judged by a regression threshold of their own. Without a schema library: the dashboard loads this. */
import { caseLabel } from './case-key.ts';
import type { CaseComparison } from './comparison.ts';

type Row = Pick<CaseComparison, 'kernel' | 'case' | 'threshold_pct'>;

/** By `kernel/case`; empty where all have the same. */
export function caseThresholds(cases: readonly Row[]): Record<string, number> {
  return Object.fromEntries(
    cases.flatMap((one) => (one.threshold_pct === undefined ? [] : [[caseLabel(one), one.threshold_pct]])),
  );
}

/** More are named in the reasons of their cases. */
const MOST_NAMED = 5;

/** `3 %`, or with those that differ: `3 % (attention/long: 6 %)`. */
export function thresholdText(regression_pct: number, own: Readonly<Record<string, number>>): string {
  const named = Object.entries(own).map(([name, pct]) => `${name}: ${pct} %`);
  if (named.length === 0) return `${regression_pct} %`;
  const rest = named.length - MOST_NAMED;
  const more = rest > 0 ? [`${rest} more cases have their own`] : [];
  return `${regression_pct} % (${[...named.slice(0, MOST_NAMED), ...more].join(', ')})`;
}
