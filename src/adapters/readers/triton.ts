import { defined } from '../../model/defined.ts';
import { PawlError } from '../../model/pawl-error.ts';
import { linesOf, splitRecord } from '../../profile/ncu-csv.ts';
import type { Adapter, Source } from '../adapter.ts';
import { dimsOf } from '../fields.ts';
import { ReadingBuilder } from '../reading-builder.ts';
import { timeUnit, toMilliseconds, type TimeUnit } from '../time-unit.ts';

const MAX_ROWS = 100_000;

interface Table {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Lines that do not have the header's columns, by number. */
  readonly broken: readonly number[];
  readonly decimalComma: boolean;
}

interface Column {
  readonly at: number;
  readonly kernel: string;
  readonly unit: TimeUnit;
}

/**
 * The CSV that Triton's `perf_report(…).run(save_path=…)` writes (triton.testing): the x axes, then a column for each
 * line, which newer versions name with the unit of the y label: `Triton (ms)`. One figure a cell, no samples.
 */
export const tritonAdapter: Adapter = {
  format: 'triton',
  tool: 'Triton perf_report',
  detect(source) {
    if (source.json !== undefined || /^\s*[[{]/u.test(source.text)) return 0;
    const table = tableOf(source.text);
    if (table === undefined || table.rows.length === 0 || table.header.length < 2) return 0;
    const isNumeric = table.rows[0]!.every((cell) => numberIn(cell, table.decimalComma) !== undefined);
    if (!isNumeric) return 0;
    return table.header.some((name) => unitInName(name) !== undefined) ? 0.9 : 0.6;
  },
  read(source) {
    const builder = new ReadingBuilder(source);
    const table = tableOf(source.text);
    if (table === undefined) throw notATable(source.name);
    const { axes, columns } = columnsOf(builder, table, source);
    if (table.broken.length > 0) {
      builder.note(
        'dropped',
        `lines with another number of columns than the header: ${table.broken.slice(0, 8).join(', ')}`,
      );
    }
    for (const row of table.rows) addRow(builder, row, { table, axes, columns });
    return builder.build();
  },
};

function tableOf(text: string): Table | undefined {
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

/** `Triton (GB/s)`: what stands in the last parentheses. */
function wordInName(name: string): string | undefined {
  return /\(([^()]*)\)\s*$/u.exec(name)?.[1];
}

function unitInName(name: string): TimeUnit | undefined {
  const word = wordInName(name);
  return word === undefined ? undefined : timeUnit(word);
}

function columnsOf(builder: ReadingBuilder, { header }: Table, source: Source) {
  const named = header.findIndex((name) => wordInName(name) !== undefined);
  if (named > 0) {
    const columns = header.flatMap((name, at): Column[] => {
      if (at < named) return [];
      const unit = unitInName(name);
      if (unit === undefined)
        builder.noteOf('dropped', 'columns that are not times, and cannot be made so', name);
      return unit === undefined ? [] : [{ at, kernel: name.replace(/\s*\([^()]*\)\s*$/u, ''), unit }];
    });
    for (const unit of new Set(columns.map((column) => column.unit))) builder.unit(unit, 'columns');
    return { axes: header.slice(0, named), columns };
  }
  const { unit } = source;
  if (unit === undefined) {
    throw new PawlError(
      'usage',
      `${source.name} does not say what its numbers are: milliseconds, GB/s, TFLOP/s?`,
      'Say so, if they are times: --unit ms. Newer versions of Triton write the unit into the column names.',
    );
  }
  builder.unit(unit, 'columns, as you say,');
  builder.note('doubt', `«${header[0] ?? ''}» was taken for the only x axis`);
  return {
    axes: header.slice(0, 1),
    columns: header.slice(1).map((kernel, at) => ({ at: at + 1, kernel, unit })),
  };
}

interface Shape {
  readonly table: Table;
  readonly axes: readonly string[];
  readonly columns: readonly Column[];
}

function addRow(builder: ReadingBuilder, row: readonly string[], { table, axes, columns }: Shape): void {
  const values = axes.map((axis, at): readonly [string, number | undefined] => [
    axis,
    numberIn(row[at]!, table.decimalComma),
  ]);
  const settings = axes.map((axis, at) => `${axis}=${String(values[at]![1] ?? row[at])}`).join(',');
  const dims = dimsOf(values);
  for (const { at, kernel, unit } of columns) {
    const time_ms = toMilliseconds(numberIn(row[at]!, table.decimalComma), unit);
    if (time_ms === undefined) {
      builder.noteOf('dropped', 'cells that are no positive, finite number', `${kernel} at ${settings}`);
      continue;
    }
    builder.add(
      { kernel, case: settings, ...defined({ dims }) },
      { series: [], summaries: [{ process: 1, unstated_ms: time_ms }] },
    );
  }
}

function numberIn(cell: string, decimalComma: boolean): number | undefined {
  const text = decimalComma ? cell.replace(',', '.') : cell;
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/iu.test(text) ? Number(text) : undefined;
}

function notATable(name: string): PawlError {
  return new PawlError(
    'bad-data',
    `${name} is not a table of perf_report.`,
    'It is the CSV that run(save_path=…) writes.',
  );
}
