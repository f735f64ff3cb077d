import { defined } from '../../model/defined.ts';
import type { Measurement } from '../../model/measure/samples.ts';
import type { Adapter, Source } from '../adapter.ts';
import { PROCESS_COUNTER } from '../exports/google-benchmark.ts';
import { countOf, field, fieldsOf, listOf, path, textOf } from '../fields.ts';
import { ReadingBuilder, type Stated } from '../reading-builder.ts';
import { timeUnit, toMilliseconds, type TimeUnit } from '../time-unit.ts';

/**
 * `--benchmark_out_format=json` of Google Benchmark (https://github.com/google/benchmark/blob/main/docs/user_guide.md).
 * A repetition is a sample, and all are of one process. `real_time` is taken: wall time, or what the benchmark
 * measured itself where its name ends in `/manual_time`.
 */
export const googleBenchmarkAdapter: Adapter = {
  format: 'google-benchmark',
  tool: 'Google Benchmark',
  detect({ json }) {
    const benchmarks = path(json?.value, 'benchmarks');
    if (!Array.isArray(benchmarks) || fieldsOf(path(json?.value, 'context')) === undefined) return 0;
    const first: unknown = benchmarks[0];
    const isRow = field(first, 'real_time') !== undefined || field(first, 'error_occurred') === true;
    return typeof field(first, 'name') === 'string' && isRow ? 1 : 0;
  },
  read(source: Source) {
    const builder = new ReadingBuilder(source);
    const families = new Map<string, unknown[]>();
    for (const row of listOf(path(source.json?.value, 'benchmarks'))) {
      const name = textOf(field(row, 'run_name')) ?? textOf(field(row, 'name'));
      if (name === undefined) {
        builder.noteOf('dropped', 'rows without a name', '1');
        continue;
      }
      const rows = families.get(name);
      if (rows === undefined) families.set(name, [row]);
      else rows.push(row);
    }
    for (const [name, rows] of families) addFamily(builder, name, rows);
    const units = new Set([...families.values()].flat().flatMap((row) => unitOf(row) ?? []));
    for (const unit of units) builder.unit(unit, 'real_time');
    if (path(source.json?.value, 'context', 'library_build_type') === 'debug') {
      builder.note('doubt', 'the benchmark library was a debug build, as the file itself says');
    }
    return builder.build();
  },
};

function unitOf(row: unknown): TimeUnit | undefined {
  return timeUnit(textOf(field(row, 'time_unit')) ?? '');
}

function addFamily(builder: ReadingBuilder, name: string, rows: readonly unknown[]): void {
  const failed = rows.filter(isFailed);
  const aggregates = rows.filter((row) => isAggregate(row) && !isFailed(row));
  const repetitions = rows.filter((row) => !isAggregate(row) && !isFailed(row));
  const without = repetitions.filter((row) => unitOf(row) === undefined);
  if (without.length > 0) builder.noteOf('dropped', 'times without a unit', `${without.length} of ${name}`);
  const timed = repetitions.filter((row) => unitOf(row) !== undefined);
  const processes = byProcess(timed).map((each) =>
    each.flatMap((row) => builder.times(name, [field(row, 'real_time')], unitOf(row)!)),
  );
  const samples_ms = processes.flat();
  const stated = statedOf(aggregates);
  const warnings = builder.compareStated(name, samples_ms, stated);
  const batches = new Set(timed.map((row) => countOf(field(row, 'iterations'))));
  const [batch] = batches;
  const summary = samples_ms.length === 0 ? builder.summary(stated) : undefined;
  const lost = failed.map((row) => ({
    process: 1,
    reason: 'error',
    during: 'timing' as const,
    message: failureOf(row),
  }));
  if (samples_ms.length === 0 && summary === undefined && lost.length === 0) {
    builder.noteOf('dropped', 'benchmarks without a time', name);
    return;
  }
  if (lost.length > 0) builder.noteOf('dropped', 'benchmarks that failed', `${name}: ${lost[0]!.message}`);
  builder.add(
    {
      ...nameParts(name),
      ...(lost.length === 0 ? {} : { lost }),
      ...(warnings.length === 0 ? {} : { warnings }),
    } satisfies Omit<Measurement, 'series'>,
    {
      series: processes.flatMap((each, at) =>
        each.length === 0
          ? []
          : [
              {
                process: at + 1,
                samples_ms: each,
                timing: 'host',
                ...(batches.size === 1 && batch !== undefined ? { batch } : {}),
              },
            ],
      ),
      ...(summary === undefined ? {} : { summaries: [summary] }),
    },
  );
}

/** One process, unless Pawl itself wrote the file and counted them. */
function byProcess(rows: readonly unknown[]): unknown[][] {
  const processes = new Map<unknown, unknown[]>();
  for (const row of rows) {
    const process = countOf(field(row, PROCESS_COUNTER));
    const known = processes.get(process);
    if (known === undefined) processes.set(process, [row]);
    else known.push(row);
  }
  return [...processes.values()];
}

/** `BM_Copy<float>/1024/real_time`: the function is the kernel, its arguments are the case. */
function nameParts(name: string): { readonly kernel: string; readonly case: string } {
  const at = name.indexOf('/');
  if (at <= 0 || at === name.length - 1) return { kernel: name, case: 'default' };
  return { kernel: name.slice(0, at), case: name.slice(at + 1) };
}

function isAggregate(row: unknown): boolean {
  return field(row, 'run_type') === 'aggregate' || field(row, 'aggregate_name') !== undefined;
}

/** Up to 1.7 `error_occurred`, then `skipped`. */
function isFailed(row: unknown): boolean {
  const skipped = field(row, 'skipped');
  const isSkipped = skipped === true || (typeof skipped === 'string' && skipped !== 'NO_SKIP');
  return field(row, 'error_occurred') === true || isSkipped;
}

function failureOf(row: unknown): string {
  return textOf(field(row, 'error_message')) ?? textOf(field(row, 'skip_message')) ?? 'it was skipped';
}

function statedOf(aggregates: readonly unknown[]): Stated {
  const time = (name: string): number | undefined => {
    const row = aggregates.find((each) => field(each, 'aggregate_name') === name);
    const unit = unitOf(row);
    return unit === undefined ? undefined : toMilliseconds(field(row, 'real_time'), unit);
  };
  const counts = new Set(aggregates.map((row) => field(row, 'repetitions')));
  const samples = counts.size === 1 ? countOf([...counts][0]) : undefined;
  return {
    mean_ms: time('mean'),
    median_ms: time('median'),
    stddev_ms: time('stddev'),
    ...defined({ samples }),
  };
}
