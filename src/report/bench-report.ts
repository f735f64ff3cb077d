import type {
  BenchMeasurement,
  BenchReport,
  BenchStatistics,
  BenchThresholds,
} from '../model/reports/bench-report.ts';
import { BENCH_SCHEMA } from '../model/reports/bench-report.ts';
import { blindTolerance } from '../model/correctness/blind-tolerance.ts';
import { defined } from '../model/defined.ts';
import type { DeviceInfo } from '../model/device/device.ts';
import { detectorOf, faultOf, type Fault } from '../model/measure/fault.ts';
import { ratesOf, workOf } from '../model/device/rates.ts';
import type { Measurement, Samples, Series } from '../model/measure/samples.ts';
import { commonProtections } from '../model/device/sandbox.ts';
import {
  BOOTSTRAP_DEFAULTS,
  bootstrapMedian,
  hierarchicalBootstrapMedian,
  histogram,
  median,
  qnScale,
  quantile,
  summary,
} from '../stats/index.ts';
import { measurementWarnings, runWarnings } from './bench-warnings.ts';

/** As many as the terminal has room for in a row. */
const HISTOGRAM_BINS = 12;

/** Sums up what a run measured: the one model that every rendering of `pawl bench` shows. */
export function benchReport(samples: Samples, thresholds: BenchThresholds): BenchReport {
  const { cv_pct, temperature_c } = thresholds;
  const device = samples.device ?? samples.measurements.find((one) => one.device !== undefined)?.device;
  return {
    schema: BENCH_SCHEMA,
    device,
    environment: samples.environment,
    interval: { ...BOOTSTRAP_DEFAULTS },
    thresholds: { cv_pct, temperature_c },
    measurements: samples.measurements.map((measurement) =>
      summarize(measurement, { device, thresholds, seed: samples.environment?.seed }),
    ),
    ...defined({ skipped: samples.skipped }),
    warnings: runWarnings(samples),
  };
}

function summarize(
  measurement: Measurement,
  {
    device,
    thresholds,
    seed,
  }: {
    readonly device: DeviceInfo | undefined;
    readonly thresholds: BenchThresholds;
    readonly seed: string | undefined;
  },
): BenchMeasurement {
  const { kernel, variant, mode, commit, dirty, dims, binary, versions, series, lost = [] } = measurement;
  const statistics = series.length === 0 ? undefined : statisticsOf(measurement);
  const fault = faultOf(measurement, seed);
  const subject = {
    kernel,
    case: measurement.case,
    variant,
    mode,
    commit,
    dirty,
    dims,
    binary,
    versions,
    device: sameDevice(measurement.device, device) ? undefined : measurement.device,
    check: checkState(measurement, fault),
    fault,
    protections: commonProtections(series),
    verified: series.filter(({ verified }) => verified === true).length,
    processes: series.length,
    samples: sum(series.map(({ samples_ms }) => samples_ms.length)),
    throttled: sum(series.map(throttledCount)),
    by_process: series.map((one, index) => ({
      process: one.process ?? index + 1,
      samples: one.samples_ms.length,
      median_ms: median(one.samples_ms),
      throttled: throttledCount(one),
      stopped_by: one.stopped_by,
    })),
    lost,
    notes: [...new Set(series.flatMap(({ notes }) => notes ?? []))],
    warnings: measurementWarnings(measurement, statistics?.cv_pct, thresholds),
  };
  return statistics === undefined
    ? { state: 'unmeasured', ...subject }
    : { state: 'measured', ...subject, ...statistics };
}

/** CPUs have no UUID, and each process may be pinned to others of them: there the name decides. */
function sameDevice(one: DeviceInfo | undefined, other: DeviceInfo | undefined): boolean {
  return one === undefined || (one.name === other?.name && one.uuid === other?.uuid);
}

function checkState({ check }: Measurement, fault: Fault | undefined): BenchMeasurement['check'] {
  if (fault !== undefined && detectorOf(fault.detector) !== undefined) return 'failed';
  // A check that lets anything pass is none.
  if (check === undefined || blindTolerance(check) !== undefined) return 'not-checked';
  return check.passed ? 'passed' : 'failed';
}

function statisticsOf(measurement: Measurement): BenchStatistics {
  const { series, floor, prepared_of = [] } = measurement;
  const all = series.flatMap(({ samples_ms }) => samples_ms);
  const { count, mean, standardDeviation, coefficientOfVariation, min, max } = summary(all);
  const hierarchical = series.length > 1;
  const interval = hierarchical
    ? hierarchicalBootstrapMedian(series.map(({ samples_ms }) => samples_ms))
    : bootstrapMedian(all, { method: 'sampled' });
  const rates = ratesOf(workOf(measurement), interval.median);
  const bins = histogram(all, HISTOGRAM_BINS);
  const clocks = series.flatMap(({ clock_mhz }) => clock_mhz ?? []);
  const peaks = series.flatMap(({ memory_peak_bytes }) => memory_peak_bytes ?? []);
  return {
    median_ms: interval.median,
    ci_ms: [interval.low, interval.high],
    ci_method: hierarchical ? 'hierarchical' : 'plain',
    mean_ms: mean,
    sd_ms: count > 1 ? standardDeviation : undefined,
    cv_pct: count > 1 ? 100 * coefficientOfVariation : undefined,
    p50_ms: quantile(all, 0.5),
    p95_ms: quantile(all, 0.95),
    p99_ms: quantile(all, 0.99),
    min_ms: min,
    max_ms: max,
    between_process_pct: hierarchical ? betweenProcesses(series, interval.median) : undefined,
    histogram: {
      low_ms: bins.low,
      high_ms: bins.high,
      counts: [...bins.counts],
      below: bins.below,
      above: bins.above,
    },
    throughput_gflop_s: rates.throughput_gflop_s,
    bandwidth_gb_s: rates.bandwidth_gb_s,
    prepare: preparation(series, prepared_of),
    memory_peak_bytes: peaks.length === 0 ? undefined : Math.max(...peaks),
    clock_median_mhz: clocks.length === 0 ? undefined : median(clocks),
    floor,
    times_floor: rates.times_floor,
  };
}

function preparation(series: readonly Series[], of: readonly string[]): BenchStatistics['prepare'] {
  const prepared = series.flatMap(({ prepare }) => prepare ?? []);
  if (prepared.length === 0) return undefined;
  return {
    of: [...of],
    ms: median(prepared.map(({ ms }) => ms)),
    bytes: Math.max(...prepared.map(({ bytes }) => bytes)),
  };
}

function betweenProcesses(series: readonly Series[], median_ms: number): number {
  return (100 * qnScale(series.map(({ samples_ms }) => median(samples_ms)))) / median_ms;
}

function throttledCount({ throttled_ms }: Series): number {
  return throttled_ms?.length ?? 0;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
