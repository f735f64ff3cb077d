import { variantText } from '../../model/problem/variant.ts';
import { csvText, type CsvCell as Cell } from '../../model/text/csv-text.ts';
import type { ExportRow } from './export-row.ts';

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

/** A document is of one kind, so all rows have the same columns. */
export function csvTable(rows: readonly ExportRow[]): string {
  const isCompared = rows.some(({ compared }) => compared !== undefined);
  const lines = [isCompared ? COMPARED : MEASURED, ...rows.map(isCompared ? comparedCells : measuredCells)];
  return csvText(lines);
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
