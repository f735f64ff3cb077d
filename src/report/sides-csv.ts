import { csvText, type CsvCell } from '../model/text/csv-text.ts';
import type { SideCase } from '../model/history/sides-comparison.ts';
import { variantText } from '../model/problem/variant-text.ts';

const COLUMNS = [
  'kernel',
  'case',
  'variant',
  'mode',
  'device',
  'verdict',
  'change_pct',
  'ci_low_pct',
  'ci_high_pct',
  'p_adjusted',
  'a_ms',
  'b_ms',
  'a_commit',
  'b_commit',
  'a_run',
  'b_run',
  'a_device_class',
  'b_device_class',
  'reason',
];

/** Two sides as a table for a spreadsheet; the columns that `pawl export --to csv` has too have its names. */
export function sidesCsv(cases: readonly SideCase[]): string {
  return csvText([COLUMNS, ...cases.map(cellsOf)]);
}

function cellsOf({ key, a, b, verdict, change_pct, ci_pct, p_adjusted, reason }: SideCase): CsvCell[] {
  return [
    key.kernel,
    key.case,
    variantText(key.variant ?? {}),
    key.mode,
    key.device,
    verdict,
    change_pct,
    ci_pct?.[0],
    ci_pct?.[1],
    p_adjusted,
    a?.level_ms,
    b?.level_ms,
    a?.commit,
    b?.commit,
    a?.run,
    b?.run,
    a?.device_class,
    b?.device_class,
    reason,
  ];
}
