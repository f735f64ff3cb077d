import type { BenchThresholds, BenchWarning } from '../model/reports/bench-report.ts';
import { blindTolerance } from '../model/correctness/blind-tolerance.ts';
import type { Verification } from '../model/correctness/verification.ts';
import { throttleReasons } from '../model/device/device.ts';
import type { DeviceState } from '../model/device/device.ts';
import { detectorOf, faultOf, faultText, isWrongResult, mismatchText } from '../model/measure/fault.ts';
import type { Measurement, Samples } from '../model/measure/samples.ts';

/** What a reader must know before believing a measurement, worst first, each with its remedy. */
export function measurementWarnings(
  measurement: Measurement,
  cv_pct: number | undefined,
  thresholds: BenchThresholds,
): BenchWarning[] {
  const found = [
    incorrect(measurement),
    blind(measurement),
    lostSeries(measurement),
    singleProcess(measurement),
    variation(measurement, cv_pct, thresholds.cv_pct),
    throttling(measurement),
    temperature(measurement, thresholds.temperature_c),
    foreignProcesses(measurement),
    load(measurement),
    launchLatency(measurement),
    ...(measurement.warnings ?? []).map((message): BenchWarning => ({ kind: 'recorded', message })),
  ];
  return found.filter((warning) => warning !== undefined);
}

/** What concerns every measurement of a run. */
export function runWarnings({ incomplete, environment }: Samples): BenchWarning[] {
  const warnings: BenchWarning[] = [];
  if (incomplete !== undefined) {
    warnings.push({
      kind: 'incomplete',
      message: `the run ended early: ${incomplete}`,
      remedy: 'run it again for the rest; the measurements so far are kept',
    });
  }
  const refused = environment?.clocks?.refused;
  if (refused !== undefined) {
    warnings.push({
      kind: 'clocks',
      message: `clocks were not locked: ${refused}`,
      remedy: 'run as root or ask the administrator, or measure as is: the clock of each sample is recorded',
    });
  }
  return warnings;
}

function incorrect(measurement: Measurement): BenchWarning | undefined {
  const { check } = measurement;
  const fault = faultOf(measurement);
  if (fault === undefined || detectorOf(fault.detector) === undefined) return undefined;
  const word = isWrongResult(fault) ? 'wrong result' : 'refused';
  return {
    kind: 'incorrect',
    message: check?.passed === false ? `${word}: ${faults(check).join('; ')}` : faultText(fault),
    remedy: 'fix the kernel first: no measurement counts until its result is right',
  };
}

function blind({ check }: Measurement): BenchWarning | undefined {
  const found = blindTolerance(check);
  if (found === undefined) return undefined;
  const message = `${found.message}: the result may be wrong, so the time does not count`;
  return { kind: 'blind-tolerance', message, remedy: found.remedy };
}

function faults(check: Verification): string[] {
  const wrong = check.tensors
    .filter(({ mismatches }) => mismatches > 0)
    .map((tensor) => mismatchText(check.oracle, tensor));
  // A detector that says of an output what its comparison says already adds nothing.
  const tampering = check.tampering
    .filter(({ detector }) => detector !== 'wrong-result' || wrong.length === 0)
    .map(({ tensor, detector, message }) =>
      tensor === undefined || (wrong.length === 0 && detector !== 'wrong-result')
        ? `${detector}: ${message}`
        : `${tensor}: ${message}`,
    );
  const all = [...wrong, ...tampering];
  return all.length === 0 ? [`it differs from ${check.oracle}`] : all;
}

function lostSeries({ lost = [], series }: Measurement): BenchWarning | undefined {
  if (lost.length === 0) return undefined;
  const reasons = [...new Set(lost.map(({ reason }) => reason))].join(', ');
  return {
    kind: 'lost-series',
    message: `${lost.length} of ${lost.length + series.length} series lost (${reasons})`,
    remedy: 'see the lost series below for the output of the process',
  };
}

function singleProcess({ series }: Measurement): BenchWarning | undefined {
  if (series.length !== 1) return undefined;
  return {
    kind: 'single-process',
    message: 'one process proves little: the next may differ by more than this interval',
    remedy: 'measure at least 5: --processes 5',
  };
}

function variation(
  { series }: Measurement,
  cv_pct: number | undefined,
  limit_pct: number,
): BenchWarning | undefined {
  if (cv_pct === undefined || cv_pct <= limit_pct) return undefined;
  return {
    kind: 'variation',
    message: `samples vary by ${cv_pct.toFixed(1)} % (CV), more than ${limit_pct} %`,
    // Only a GPU's clocks can be locked.
    remedy: series.some(({ timing }) => timing === 'host')
      ? 'make the machine quieter, or measure more processes'
      : 'make the machine quieter, take more samples, or lock clocks with --clocks lock',
  };
}

function throttling({ series }: Measurement): BenchWarning | undefined {
  const leftOut = series.reduce((sum, { throttled_ms }) => sum + (throttled_ms?.length ?? 0), 0);
  const masks = states({ series }).map(({ throttle_mask }) => throttle_mask ?? 0);
  const reasons = new Set([
    ...series.flatMap(({ throttle_reasons }) => throttle_reasons ?? []),
    ...masks.flatMap(throttleReasons),
  ]);
  if (leftOut === 0 && reasons.size === 0) return undefined;
  const why = reasons.size === 0 ? '' : ` (${[...reasons].join(', ')})`;
  const what =
    leftOut === 0 ? 'at times, but no sample had to be left out' : `during ${leftOut} samples, left out here`;
  return {
    kind: 'throttling',
    message: `the device throttled${why} ${what}`,
    remedy: 'let it cool, raise its power limit, or lock a lower clock with --clocks lock',
  };
}

function temperature({ series }: Measurement, limit_c: number): BenchWarning | undefined {
  const hottest_c = Math.max(...states({ series }).map(({ temperature_c }) => temperature_c ?? -Infinity));
  if (!(hottest_c > limit_c)) return undefined;
  return {
    kind: 'temperature',
    message: `the device reached ${hottest_c} °C, more than ${limit_c} °C`,
    remedy: 'let it cool or improve its airflow: clocks fall with heat',
  };
}

function foreignProcesses({ series }: Measurement): BenchWarning | undefined {
  const pids = new Set(states({ series }).flatMap(({ foreign_pids }) => foreign_pids ?? []));
  if (pids.size === 0) return undefined;
  return {
    kind: 'foreign-processes',
    message: `other processes computed on the device (pid ${[...pids].join(', ')})`,
    remedy: 'stop them or wait: they share the device',
  };
}

/** Only the load before a series counts: afterwards the kernel's own threads are in it. */
function load({ series, device }: Measurement): BenchWarning | undefined {
  const cores = device?.cores;
  const highest = Math.max(...series.map(({ state_before }) => state_before?.load_average ?? -Infinity));
  if (cores === undefined || !(highest > cores)) return undefined;
  return {
    kind: 'load',
    message: `other work ran here: ${highest.toFixed(1)} threads wanted ${cores} CPUs`,
    remedy: 'stop it or wait: the kernel had to share the CPUs',
  };
}

function launchLatency({ series }: Measurement): BenchWarning | undefined {
  if (!series.some(({ timing }) => timing === 'plain')) return undefined;
  return {
    kind: 'launch-latency',
    message: 'launch latency lies inside the timed interval',
    remedy:
      'do not compare it with measurements that exclude it; a kernel that waits for the device causes it',
  };
}

function states({ series }: Pick<Measurement, 'series'>): DeviceState[] {
  return series.flatMap(({ state_before, state_after }) =>
    [state_before, state_after].filter((state) => state !== undefined),
  );
}
