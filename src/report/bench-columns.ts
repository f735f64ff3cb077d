import type { BenchMeasurement, BenchReport, MeasuredBench } from '../model/reports/bench-report.ts';
import type { BenchGroup } from './bench-groups.ts';
import { plainText } from './text/plain-text.ts';
import { significant } from './text/rates-text.ts';
import type { Unit } from './text/units.ts';
import {
  bandwidthUnit,
  decimalsFor,
  formatBytes,
  formatIn,
  formatPercent,
  throughputUnit,
  timeUnit,
} from './text/units.ts';

export type ColumnId =
  | 'case'
  | 'mode'
  | 'median'
  | 'interval'
  | 'plus-minus'
  | 'mean'
  | 'sd'
  | 'cv'
  | 'between'
  | 'p50'
  | 'p95'
  | 'p99'
  | 'min'
  | 'max'
  | 'runs'
  | 'throughput'
  | 'bandwidth'
  | 'prepare'
  | 'prepared'
  | 'memory'
  | 'clock'
  | 'floor'
  | 'times-floor'
  | 'ceiling';

/** A column of a group's table: its header holds the unit, its cells only numbers. */
export interface Column {
  readonly id: ColumnId;
  readonly header: string;
  readonly align: 'left' | 'right';
  /** Text of a measurement's cell, empty where there is nothing to say. */
  readonly cell: (measurement: BenchMeasurement) => string;
}

/**
 * Every column that at least one measurement of the group has something to say in. Times share one unit within
 * the group; throughput and bandwidth share theirs over the whole report, so that kernels compare at a glance.
 */
export function benchColumns(group: BenchGroup, report: BenchReport): Column[] {
  const here = group.measurements.filter((one) => one.state === 'measured');
  const everywhere = report.measurements.filter((one) => one.state === 'measured');
  const medians = here.map(({ median_ms }) => median_ms);
  const unit = timeUnit(medians);
  const time = (id: ColumnId, name: string, pick: (one: MeasuredBench) => number | undefined): Column => {
    const decimals = decimalsFor(medians, unit, 4);
    return numeric(id, `${name} ${unit.name}`, (one) => {
      const value = pick(one);
      return value === undefined ? '' : formatIn(value, unit, decimals);
    });
  };
  const rate = (
    id: ColumnId,
    choose: (values: readonly number[]) => Unit,
    pick: (one: MeasuredBench) => number | undefined,
  ): Column => {
    const values = everywhere.flatMap((one) => pick(one) ?? []);
    const chosen = choose(values);
    const decimals = decimalsFor(values, chosen, 3);
    return numeric(id, chosen.name, (one) => {
      const value = pick(one);
      return value === undefined ? '' : formatIn(value, chosen, decimals);
    });
  };
  const percent = (id: ColumnId, header: string, pick: (one: MeasuredBench) => number | undefined): Column =>
    numeric(id, header, (one) => {
      const value = pick(one);
      return value === undefined ? '' : formatPercent(value);
    });
  const decimals = decimalsFor(medians, unit, 4);
  const confidence = Math.round(100 * report.interval.confidence);

  const columns: Column[] = [
    { id: 'case', header: 'case', align: 'left', cell: (one) => plainText(one.case) },
    { id: 'mode', header: 'mode', align: 'left', cell: (one) => one.mode ?? '' },
    time('median', 'median', (one) => one.median_ms),
    numeric('interval', `${confidence} % interval ${unit.name}`, ({ ci_ms }) =>
      ci_ms.map((bound) => formatIn(bound, unit, decimals)).join(' – '),
    ),
    percent('plus-minus', '± %', halfWidthPercent),
    rate('throughput', throughputUnit, (one) => one.throughput_gflop_s),
    rate('bandwidth', bandwidthUnit, (one) => one.bandwidth_gb_s),
    percent('cv', 'CV %', (one) => one.cv_pct),
    percent('between', 'between %', (one) => one.between_process_pct),
    numeric('runs', 'runs', runsText),
    time('p50', 'p50', (one) => one.p50_ms),
    time('p95', 'p95', (one) => one.p95_ms),
    time('p99', 'p99', (one) => one.p99_ms),
    time('min', 'min', (one) => one.min_ms),
    time('max', 'max', (one) => one.max_ms),
    time('mean', 'mean', (one) => one.mean_ms),
    time('sd', 'SD', (one) => one.sd_ms),
    numeric('prepare', 'prepare ms', ({ prepare }) => (prepare === undefined ? '' : significant(prepare.ms))),
    numeric('prepared', 'prepared', ({ prepare }) =>
      prepare === undefined ? '' : formatBytes(prepare.bytes),
    ),
    numeric('memory', 'memory', ({ memory_peak_bytes }) =>
      memory_peak_bytes === undefined ? '' : formatBytes(memory_peak_bytes),
    ),
    numeric('clock', 'clock MHz', ({ clock_median_mhz }) => clock_median_mhz?.toFixed(0) ?? ''),
    numeric('floor', 'floor µs', ({ floor }) =>
      floor === undefined ? '' : significant(1000 * floor.floor_ms),
    ),
    numeric('times-floor', '× floor', ({ times_floor }) =>
      times_floor === undefined ? '' : significant(times_floor),
    ),
    percent('ceiling', '% of ceiling', ({ roofline }) => roofline?.of_ceiling_pct),
  ];
  return columns.filter(({ cell }) => group.measurements.some((one) => cell(one) !== ''));
}

function numeric(id: ColumnId, header: string, cell: (one: MeasuredBench) => string): Column {
  return { id, header, align: 'right', cell: (one) => (one.state === 'measured' ? cell(one) : '') };
}

/** The longer side of the interval, as a share of the median. */
function halfWidthPercent({ median_ms, ci_ms: [low, high] }: MeasuredBench): number {
  return (100 * Math.max(high - median_ms, median_ms - low)) / median_ms;
}

/** Processes × samples of each, or of all where they differ. */
function runsText({ by_process, samples, processes }: MeasuredBench): string {
  const sizes = new Set(by_process.map((one) => one.samples));
  return sizes.size === 1 ? `${processes}×${by_process[0]!.samples}` : `${processes}: ${samples}`;
}

/** The inputs that kernels prepare outside of their times; empty: none does. */
export function preparedInputs(measurements: readonly BenchMeasurement[]): string {
  const names = measurements.flatMap((one) => (one.state === 'measured' ? (one.prepare?.of ?? []) : []));
  return plainText([...new Set(names)].join(', '));
}
