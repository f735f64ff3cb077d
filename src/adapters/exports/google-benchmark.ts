import { defined } from '../../model/defined.ts';
import { caseLabel } from '../../model/judge/case-key.ts';
import type { Series, SeriesSummary } from '../../model/measure/samples.ts';
import type { ExportRow } from './export-row.ts';

/** A counter beside each repetition: the format knows one process, and Pawl several. */
export const PROCESS_COUNTER = 'pawl_process';

/**
 * Google Benchmark's JSON: a sample is a repetition, a summary an aggregate. `cpu_time`, which its readers expect and
 * was not measured, repeats `real_time`.
 */
export function googleBenchmarkJson(rows: readonly ExportRow[], version: string): string {
  const shared = new Set<string>();
  const seen = new Set<string>();
  for (const row of rows) (seen.has(caseLabel(row)) ? shared : seen).add(caseLabel(row));
  const benchmarks = rows.flatMap((row) =>
    rowsOf(row, shared.has(caseLabel(row)) ? row.name : caseLabel(row)),
  );
  const context = {
    executable: `pawl ${version}`,
    num_cpus: 0,
    mhz_per_cpu: 0,
    cpu_scaling_enabled: false,
    caches: [],
    library_build_type: 'release',
  };
  return `${JSON.stringify({ context, benchmarks }, undefined, 2)}\n`;
}

function rowsOf(row: ExportRow, name: string): object[] {
  const base = { run_name: name, threads: 1 };
  const { measured, compared, median_ms, reason } = row;
  const isWrong = measured?.check === 'failed' || compared?.verdict === 'incorrect';
  if (isWrong || median_ms === undefined) {
    return [
      {
        name,
        ...base,
        run_type: 'iteration',
        error_occurred: true,
        error_message: reason ?? 'it was not measured',
      },
    ];
  }
  if (measured === undefined) return [aggregate(name, base, 'median', median_ms, undefined)];
  if (measured.series.length > 0)
    return measured.series.flatMap((series, at) => repetitions(name, base, series, { at, measured }));
  return measured.summaries.flatMap((each) => aggregates(name, base, each));
}

function repetitions(
  name: string,
  base: object,
  { samples_ms, batch, process }: Series,
  { at, measured }: { readonly at: number; readonly measured: { readonly samples: number } },
): object[] {
  return samples_ms.map((time_ms, index) => ({
    name,
    ...base,
    run_type: 'iteration',
    repetitions: measured.samples,
    repetition_index: index,
    iterations: batch ?? 1,
    real_time: time_ms,
    cpu_time: time_ms,
    time_unit: 'ms',
    [PROCESS_COUNTER]: process ?? at + 1,
  }));
}

function aggregates(
  name: string,
  base: object,
  { mean_ms, median_ms, stddev_ms, unstated_ms, samples }: SeriesSummary,
): object[] {
  const figures = { mean: mean_ms, median: median_ms, stddev: stddev_ms, unstated: unstated_ms };
  return Object.entries(figures).flatMap(([what, time_ms]) =>
    time_ms === undefined ? [] : [aggregate(name, base, what, time_ms, samples)],
  );
}

function aggregate(
  name: string,
  base: object,
  what: string,
  time_ms: number,
  samples: number | undefined,
): object {
  return {
    name: `${name}_${what}`,
    ...base,
    run_type: 'aggregate',
    ...defined({ repetitions: samples }),
    aggregate_name: what,
    aggregate_unit: 'time',
    iterations: samples ?? 1,
    real_time: time_ms,
    cpu_time: time_ms,
    time_unit: 'ms',
  };
}
