export type CsvCell = string | number | undefined;

/** A table by RFC 4180. */
export function csvText(lines: readonly (readonly CsvCell[])[]): string {
  return lines.map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('');
}

/**
 * A spreadsheet runs a cell that begins with one of these as a formula, quoted or not: such text gets an apostrophe
 * before it. Numbers are written as numbers, minus sign and all.
 */
const FORMULA = /^[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/u;

function csvCell(value: CsvCell): string {
  if (value === undefined) return '';
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '';
  // A cell can hold a line break, but no other control character means anything in one.
  const text = value.replaceAll(/(?![\t\r\n])\p{Cc}/gu, '');
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/u.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
