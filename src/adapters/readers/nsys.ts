import { PawlError } from '../../model/pawl-error.ts';
import { defined } from '../../model/defined.ts';
import type { Adapter, Source } from '../adapter.ts';
import { numberIn, tableOf, type Table } from '../csv-table.ts';
import { field, listOf, path, textOf } from '../fields.ts';
import { KernelLaunches, launchShape } from '../kernel-launches.ts';
import { ReadingBuilder } from '../reading-builder.ts';
import { timeUnit, toMilliseconds, type TimeUnit } from '../time-unit.ts';

/** What `nsys export --type sqlite` holds, as `nsysKernels` of src/workflows/import reads it out. */
export const NSYS_LAUNCHES = 'nsys_launches';

/**
 * Nsight Systems: `nsys stats --format csv` of the reports `cuda_gpu_trace`, which has every launch, and
 * `cuda_gpu_kern_sum`, which sums them up; and its SQLite export, with every launch. Copies and sets of memory are left
 * out.
 */
export const nsysAdapter: Adapter = {
  format: 'nsys',
  tool: 'Nsight Systems',
  detect(source) {
    if (source.json !== undefined) return Array.isArray(path(source.json.value, NSYS_LAUNCHES)) ? 1 : 0;
    if (/^\s*[[{]/u.test(source.text)) return 0;
    const table = nsysTable(source.text);
    return table === undefined ? 0 : 1;
  },
  read(source) {
    const builder = new ReadingBuilder(source);
    if (source.json !== undefined) {
      builder.unit('ns', 'durations');
      const launches = new KernelLaunches();
      for (const launch of listOf(path(source.json.value, NSYS_LAUNCHES))) {
        const time_ms = toMilliseconds(field(launch, 'duration_ns'), 'ns');
        const name = textOf(field(launch, 'name'));
        if (name === undefined || time_ms === undefined) {
          builder.noteOf('dropped', 'launches without a name or a duration', name ?? 'unnamed');
        } else {
          const shape = launchShape(listOf(field(launch, 'grid')), listOf(field(launch, 'block')));
          launches.add(name, shape, time_ms);
        }
      }
      const device = textOf(path(source.json.value, 'device'));
      launches.addTo(builder, device === undefined ? undefined : { kind: 'cuda', name: device });
      return builder.build();
    }
    const table = nsysTable(source.text);
    if (table === undefined) throw notAReport(source);
    const duration = columnOf(table, /^Duration/u);
    if (duration === undefined) readSummary(builder, table);
    else readTrace(builder, table, duration);
    return builder.build();
  },
};

/** Other tools of nsys print lines before the table. */
function nsysTable(text: string): Table | undefined {
  const lines = text.split(/\r?\n/u);
  const at = lines.findIndex((line) =>
    /^"?(?:Time ?\(%\)|Start \(\w+\))"?,/u.test(line.replace(/^\uFEFF/u, '')),
  );
  if (at < 0) return undefined;
  const table = tableOf(lines.slice(at).join('\n'));
  return table?.header.includes('Name') === true &&
    (columnOf(table, /^Duration/u) ?? columnOf(table, /^(?:Avg|Average)/u)) !== undefined
    ? table
    : undefined;
}

interface TimeColumn {
  readonly at: number;
  readonly unit: TimeUnit;
}

/** `Avg (ns)`; old versions leave the unit out, and it is nanoseconds. */
function columnOf({ header }: Table, name: RegExp): TimeColumn | undefined {
  const at = header.findIndex((each) => name.test(each));
  if (at < 0) return undefined;
  const word = /\(([^()]*)\)\s*$/u.exec(header[at]!)?.[1];
  const unit = word === undefined ? 'ns' : timeUnit(word);
  return unit === undefined ? undefined : { at, unit };
}

function readTrace(builder: ReadingBuilder, table: Table, { at, unit }: TimeColumn): void {
  builder.unit(unit, 'durations');
  const launches = new KernelLaunches();
  const place = (name: string): number => table.header.indexOf(name);
  const [name, grid, block] = [
    place('Name'),
    ['GrdX', 'GrdY', 'GrdZ'].map(place),
    ['BlkX', 'BlkY', 'BlkZ'].map(place),
  ];
  for (const row of table.rows) {
    const kernel = row[name]!;
    const sizes = (of: readonly number[]): unknown[] =>
      of.map((column) => numberIn(row[column] ?? '', false));
    if (kernel.startsWith('[') || sizes(grid).includes(undefined)) {
      builder.noteOf('dropped', 'rows that are not launches of kernels', kernel);
      continue;
    }
    const time_ms = toMilliseconds(numberIn(row[at]!, false), unit);
    if (time_ms === undefined) builder.noteOf('dropped', 'launches without a duration', kernel);
    else launches.add(kernel, launchShape(sizes(grid), sizes(block)), time_ms);
  }
  launches.addTo(builder);
}

function readSummary(builder: ReadingBuilder, table: Table): void {
  const mean = columnOf(table, /^(?:Avg|Average)/u)!;
  builder.unit(mean.unit, 'times');
  const others = {
    median_ms: columnOf(table, /^Med/u),
    min_ms: columnOf(table, /^Min/u),
    max_ms: columnOf(table, /^Max/u),
    stddev_ms: columnOf(table, /^StdDev/u),
  };
  const [name, instances] = [table.header.indexOf('Name'), table.header.indexOf('Instances')];
  // Where it was asked for, by launch shape: `GridXYZ` holds ` 896    1    1`.
  const shapes = ['GridXYZ', 'BlockXYZ'].map((each) => table.header.indexOf(each));
  for (const row of table.rows) {
    const kernel = row[name]!;
    const time = (column: TimeColumn | undefined): number | undefined =>
      column === undefined ? undefined : toMilliseconds(numberIn(row[column.at]!, false), column.unit);
    const count = numberIn(row[instances] ?? '', false);
    const samples = count !== undefined && Number.isSafeInteger(count) && count > 0 ? count : undefined;
    const { median_ms, min_ms, max_ms, stddev_ms } = others;
    const summary = builder.summary({
      mean_ms: time(mean),
      median_ms: time(median_ms),
      min_ms: time(min_ms),
      max_ms: time(max_ms),
      ...defined({ stddev_ms: time(stddev_ms), samples }),
    });
    if (summary === undefined) builder.noteOf('dropped', 'rows without a time', kernel);
    else {
      const [grid = [], block = []] = shapes.map((column) =>
        (row[column] ?? '').split(/\s+/u).map((each) => numberIn(each, false)),
      );
      builder.add({ kernel, case: launchShape(grid, block) }, { series: [], summaries: [summary] });
    }
  }
}

function notAReport({ name }: Source): PawlError {
  return new PawlError(
    'bad-data',
    `${name} is not a report of Nsight Systems.`,
    'nsys stats --report cuda_gpu_trace --format csv writes one.',
  );
}
