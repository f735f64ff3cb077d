import { variantText } from '../../model/variant.ts';
import type { ExportRow } from './export-row.ts';

type Cell = string | number | undefined;

const MEASURED = [
  'kernel',
  'case',
  'variant',
  'mode',
  'processes',
  'samples',
  'median_ms',
  'mean_ms',
  'min_ms',
  'max_ms',
  'stddev_ms',
  'check',
  'note',
];
const COMPARED = [
  'kernel',
  'case',
  'variant',
  'mode',
  'verdict',
  'change_pct',
  'ci_low_pct',
  'ci_high_pct',
  'baseline_ms',
  'candidate_ms',
  'baseline_processes',
  'candidate_processes',
  'p_adjusted',
  'waived',
  'reason',
];

/** A table by RFC 4180. A document is of one kind, so all rows have the same columns. */
export function csvTable(rows: readonly ExportRow[]): string {
  const isCompared = rows.some(({ compared }) => compared !== undefined);
  const lines = [isCompared ? COMPARED : MEASURED, ...rows.map(isCompared ? comparedCells : measuredCells)];
  return lines.map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('');
}

function keyCells({ kernel, case: name, variant = {}, mode }: ExportRow): Cell[] {
  return [kernel, name, variantText(variant), mode];
}

function measuredCells(row: ExportRow): Cell[] {
  const { measured, median_ms, processes, reason } = row;
  return [
    ...keyCells(row),
    processes,
    measured?.samples,
    median_ms,
    measured?.mean_ms,
    measured?.min_ms,
    measured?.max_ms,
    measured?.stddev_ms,
    measured?.check,
    reason,
  ];
}

function comparedCells(row: ExportRow): Cell[] {
  const one = row.compared?.case;
  const estimate = one?.state === 'estimated' ? one : undefined;
  return [
    ...keyCells(row),
    row.compared?.verdict,
    estimate?.change_pct,
    estimate?.ci_pct[0],
    estimate?.ci_pct[1],
    one?.baseline_ms,
    one?.candidate_ms,
    one?.processes[0],
    one?.processes[1],
    estimate?.p_adjusted,
    row.compared?.waived,
    row.reason,
  ];
}

/**
 * A spreadsheet runs a cell that begins with one of these as a formula, quoted or not: such text gets an apostrophe
 * before it. Numbers are written as numbers, minus sign and all.
 */
const FORMULA = /^[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/u;

function csvCell(value: Cell): string {
  if (value === undefined) return '';
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '';
  // A cell can hold a line break, but no other control character means anything in one.
  const text = value.replaceAll(/(?![\t\r\n])\p{Cc}/gu, '');
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/u.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
