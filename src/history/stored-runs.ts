import { defined } from '../model/defined.ts';
import type { CheckReport } from '../model/reports/check-report.ts';
import type { Samples } from '../model/measure/samples.ts';
import { RUN_SCHEMA, type StoredRun } from '../model/history/stored-run.ts';

/**
 * What history keeps of a run. All of it comes from what the run's files say, so that a run which is imported from
 * them later is the same run as one that was recorded when it ended.
 */
export function benchRun(samples: Samples, fallback: Date): StoredRun {
  const isOurs = samples.environment?.pawl !== undefined;
  return {
    schema: RUN_SCHEMA,
    kind: isOurs ? 'bench' : 'import',
    ...timesOf(samples, fallback),
    sides: { head: samples },
    device_s: deviceSeconds([samples]),
  };
}

export function comparisonRun(
  report: CheckReport,
  sides: { readonly base: Samples; readonly head: Samples; readonly control?: Samples },
  fallback: Date,
  keptAs?: 'session',
): StoredRun {
  const { base, head, control } = sides;
  return {
    schema: RUN_SCHEMA,
    kind: keptAs ?? (report.baseline === undefined ? 'compare' : 'check'),
    ...timesOf(head, fallback),
    sides: { head, base, ...defined({ control }) },
    // Paths of one machine say nothing on another.
    report: {
      ...report,
      ...(report.baseline === undefined ? {} : { baseline: { path: 'pawl-baseline.json' } }),
      files: {},
    },
    device_s:
      report.cost?.device_s ?? deviceSeconds([base, head, ...(control === undefined ? [] : [control])]),
  };
}

function timesOf({ environment, measurements }: Samples, fallback: Date) {
  const series = measurements.flatMap((one) => one.series.flatMap(({ started_at }) => started_at ?? []));
  const first = series.reduce<string | undefined>((a, b) => (a === undefined || b < a ? b : a), undefined);
  return {
    started_at: environment?.started_at ?? first ?? fallback.toISOString(),
    ...defined({ finished_at: environment?.finished_at }),
  };
}

/** As far as the runners say what their series cost. */
function deviceSeconds(samples: readonly Samples[]): number {
  let total_ms = 0;
  for (const { measurements } of samples) {
    for (const { series } of measurements) {
      for (const { warmup_cost_ms = 0, sampling_cost_ms = 0 } of series) {
        total_ms += warmup_cost_ms + sampling_cost_ms;
      }
    }
  }
  return total_ms / 1000;
}
