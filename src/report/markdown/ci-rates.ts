/** What the times of a check's head mean for the work of their cases. */
import { isSameCase, isSameUpToVariant } from '../../model/judge/case-key.ts';
import type { CheckReport } from '../../model/reports/check-report.ts';
import type { CaseComparison } from '../../model/judge/comparison.ts';
import { ratesOf, type Rates } from '../../model/device/rates.ts';
import type { CaseNames } from '../text/comparison-text.ts';
import { joined, markdownTable } from './markdown-blocks.ts';
import { markdownCell } from './markdown-text.ts';
import { ratesTexts } from '../text/rates-text.ts';

const COLUMNS: readonly { readonly name: string; readonly of: (rates: Rates) => Rates }[] = [
  { name: 'operations', of: ({ throughput_gflop_s }) => ({ throughput_gflop_s }) },
  { name: 'bytes', of: ({ bandwidth_gb_s }) => ({ bandwidth_gb_s }) },
  { name: 'floor', of: ({ times_floor }) => ({ times_floor }) },
  { name: 'ceiling', of: ({ of_ceiling_pct }) => ({ of_ceiling_pct }) },
];

/** A row for each case whose work is known, at most `most`; columns that say nothing of any of them are left out. */
export function ratesTable(
  check: CheckReport,
  cases: readonly CaseComparison[],
  { names, most }: { readonly names: CaseNames; readonly most: number },
): string {
  const rated = cases.flatMap((one) => {
    const rates = ratesOfCase(check, one);
    const cells = COLUMNS.map(({ of }) => ratesTexts(of(rates))[0] ?? '');
    return cells.every((cell) => cell === '') ? [] : [{ one, cells }];
  });
  const shown = rated.slice(0, most);
  if (shown.length === 0) return '';
  const told = COLUMNS.map((_, at) => at).filter((at) => shown.some(({ cells }) => cells[at] !== ''));
  const rows = shown.map(({ one, cells }) => [
    markdownCell(names.nameOf(one)),
    ...told.map((at) => cells[at]!.replaceAll(' ', '\u00A0')),
  ]);
  const left = rated.length - shown.length;
  return joined([
    markdownTable(['case', ...told.map((at) => COLUMNS[at]!.name)], rows),
    left === 0 ? '' : `and ${left} more: the JSON report has what they are computed from.`,
  ]);
}

/** Of what is wrong, no time counts. */
function ratesOfCase({ work = [] }: CheckReport, one: CaseComparison): Rates {
  if (one.verdict === 'incorrect' || one.candidate_ms === undefined) return {};
  const same = work.filter(({ key }) => isSameUpToVariant(key, one));
  const own = same.length === 1 ? same[0] : same.find(({ key }) => isSameCase(key, one));
  return own === undefined ? {} : ratesOf(own, one.candidate_ms);
}
