import { linesOf, splitRecord } from '../profile/ncu/ncu-csv.ts';

const MAX_ROWS = 100_000;

/** A table with a header. */
export interface Table {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Lines that do not have the header's columns, by number. */
  readonly broken: readonly number[];
  readonly decimalComma: boolean;
}

/** Nothing where there is no header with a separator in it, or where there are too many rows. */
export function tableOf(text: string): Table | undefined {
  const lines = [...linesOf(text.replace(/^\uFEFF/u, ''))].filter((line) => line.text.trim() !== '');
  const [first, ...others] = lines;
  if (first === undefined || others.length > MAX_ROWS) return undefined;
  // A table with `;` between its fields was written where numbers have a decimal comma.
  const separator = [';', '\t', ','].find((each) => first.text.includes(each));
  if (separator === undefined) return undefined;
  const split = (line: string): readonly string[] | undefined => {
    const record = splitRecord(line, { separator, quotesAll: false });
    return record.state === 'whole' ? record.fields.map((cell) => cell.trim()) : undefined;
  };
  const header = split(first.text);
  if (header === undefined) return undefined;
  const rows: (readonly string[])[] = [];
  const broken: number[] = [];
  for (const { text: line, number } of others) {
    const cells = split(line);
    if (cells?.length === header.length) rows.push(cells);
    else broken.push(number);
  }
  return { header, rows, broken, decimalComma: separator !== ',' };
}

export function numberIn(cell: string, decimalComma: boolean): number | undefined {
  const text = decimalComma ? cell.replace(',', '.') : cell;
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/iu.test(text) ? Number(text) : undefined;
}
