import { defined } from '../../model/defined.ts';
import { PawlError } from '../../model/pawl-error.ts';
import type { Adapter, Source } from '../adapter.ts';
import { numberIn, tableOf, type Table } from '../csv-table.ts';
import { dimsOf } from '../fields.ts';
import { rateUnit, timePerUnit_ms, type RateUnit } from '../rate-unit.ts';
import { ReadingBuilder } from '../reading-builder.ts';
import { timeUnit, toMilliseconds, type TimeUnit } from '../time-unit.ts';

interface Column {
  readonly at: number;
  readonly kernel: string;
  readonly unit: TimeUnit | RateUnit;
}

/**
 * The CSV that Triton's `perf_report(…).run(save_path=…)` writes (triton.testing): the x axes, then a column for each
 * line, which newer versions name with the unit of the y label: `Triton (ms)`. One figure a cell, no samples. Of a rate,
 * such as GB/s, it is the time that one of its units of work takes.
 */
export const tritonAdapter: Adapter = {
  format: 'triton',
  tool: 'Triton perf_report',
  detect(source) {
    if (source.json !== undefined || /^\s*[[{]/u.test(source.text)) return 0;
    const table = tableOf(source.text);
    if (table === undefined || table.rows.length === 0 || table.header.length < 2) return 0;
    // tritonbench's.
    if (table.header[0] === 'x_val') return 0;
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
        `lines with a different number of columns than the header: ${table.broken.slice(0, 8).join(', ')}`,
      );
    }
    for (const row of table.rows) addRow(builder, row, { table, axes, columns });
    return builder.build();
  },
};

/** `Triton (GB/s)`: what stands in the last parentheses. */
function wordInName(name: string): string | undefined {
  return /\(([^()]*)\)\s*$/u.exec(name)?.[1];
}

function unitInName(name: string): TimeUnit | RateUnit | undefined {
  const word = wordInName(name);
  return word === undefined ? undefined : (timeUnit(word) ?? rateUnit(word));
}

function withoutUnit(name: string): string {
  return name.replace(/\s*\([^()]*\)\s*$/u, '');
}

function columnsOf(builder: ReadingBuilder, { header }: Table, source: Source) {
  const named = header.findIndex((name) => wordInName(name) !== undefined);
  if (named > 0) {
    const timed = new Set(header.filter((name) => typeof unitInName(name) === 'string').map(withoutUnit));
    const columns = header.flatMap((name, at): Column[] => {
      if (at < named) return [];
      const unit = unitInName(name);
      if (unit === undefined)
        builder.noteOf('dropped', 'columns that are not times and cannot be converted', name);
      const kernel = withoutUnit(name);
      if (typeof unit === 'object' && timed.has(kernel)) {
        builder.noteOf('dropped', 'rates beside the times that they come from', name);
        return [];
      }
      return unit === undefined ? [] : [{ at, kernel, unit }];
    });
    for (const unit of new Set(columns.map((column) => column.unit))) {
      if (typeof unit === 'string') builder.unit(unit, 'columns');
      else builder.rate(unit, 'columns');
    }
    return { axes: header.slice(0, named), columns };
  }
  const { unit } = source;
  if (unit === undefined) {
    throw new PawlError(
      'usage',
      `${source.name} does not give the unit of its numbers (milliseconds, GB/s, TFLOP/s).`,
      'If they are times, pass --unit ms. Newer versions of Triton write the unit into the column names.',
    );
  }
  builder.unit(unit, 'columns, as you say,');
  builder.note('doubt', `"${header[0] ?? ''}" was assumed to be the only x axis`);
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
    const value = numberIn(row[at]!, table.decimalComma);
    const isTime = typeof unit === 'string';
    const time_ms = isTime ? toMilliseconds(value, unit) : timePerUnit_ms(value);
    if (time_ms === undefined) {
      builder.noteOf('dropped', 'cells that are not positive, finite numbers', `${kernel} at ${settings}`);
      continue;
    }
    builder.add(
      { kernel, case: isTime ? settings : `${settings} per ${unit.work}`, ...defined({ dims }) },
      { series: [], summaries: [{ process: 1, unstated_ms: time_ms }] },
    );
  }
}

function notATable(name: string): PawlError {
  return new PawlError(
    'bad-data',
    `${name} is not a table of perf_report.`,
    'It is the CSV that run(save_path=…) writes.',
  );
}
