import { defined } from '../model/defined.ts';
import type { BaselineEntry, Confirmation, Provenance } from '../model/judge/baseline.ts';
import { blindTolerance } from '../model/correctness/blind-tolerance.ts';
import { caseLabel } from '../model/judge/case-key.ts';
import type { CaseComparison } from '../model/judge/comparison.ts';
import { faultOf, faultText } from '../model/measure/fault.ts';
import { isLoaded } from '../model/device/load.ts';
import { PawlError } from '../model/pawl-error.ts';
import { SAMPLES_SCHEMA, type Measurement, type Samples, type Series } from '../model/measure/samples.ts';
import { entryKey } from './entry-key.ts';
import { loadOn } from './load-on.ts';

/** A measurement that is to stand in the baseline, with the file it is from. */
export interface Accepted {
  readonly measurement: Measurement;
  readonly samples: Samples;
  /** Take it although its kernel has no oracle, or was not compared with it. */
  readonly allowUnchecked?: boolean | undefined;
}

/** Who changes the baseline, when, and at which commit. */
export interface Audit {
  readonly author: string;
  readonly time: Date;
  readonly commit?: string;
}

/** Timers resolve no more than this many digits of a time, and a file in git should be small. */
const SIGNIFICANT_DIGITS = 6;

export function makeEntry(
  accepted: Accepted,
  how: Provenance['how'],
  time: Date,
  confirmation?: Confirmation,
): BaselineEntry {
  const { measurement, samples } = accepted;
  const { commit, dirty, dims, recorded, binary } = measurement;
  const { host, seed } = samples.environment ?? {};
  const load = loadOn(measurement, samples);
  return {
    key: entryKey(measurement, samples),
    ...defined({ dims, recorded }),
    series: seriesOf(measurement),
    provenance: {
      how,
      time: time.toISOString(),
      ...defined({ commit, dirty, host, binary_sha256: binary?.sha256, seed }),
      check: checkOf(accepted),
      ...(measurement.series.every(({ verified }) => verified === true) ? { verified: true } : {}),
      ...defined({ confirmation }),
      ...(isLoaded(load) ? { load } : {}),
    },
  };
}

/** A wrong result does not count; an unchecked one counts only on request. */
function checkOf({ measurement, allowUnchecked }: Accepted): Provenance['check'] {
  const label = caseLabel(measurement);
  const fault = faultOf(measurement);
  if (fault !== undefined) {
    throw new PawlError(
      'bad-data',
      `the result of ${label} is wrong, so its time cannot be a baseline: ${faultText(fault)}`,
      'Fix the kernel first.',
    );
  }
  const blind = blindTolerance(measurement.check);
  if (blind !== undefined) {
    throw new PawlError('bad-data', `${label} cannot be a baseline: ${blind.message}`, blind.remedy);
  }
  if (measurement.check !== undefined) return 'passed';
  if (allowUnchecked === true) return 'not-checked';
  throw new PawlError(
    'bad-data',
    `the result of ${label} was not compared with an oracle, so its time cannot be a baseline`,
    'Give its problem an `oracle` and measure again, or allow unchecked results.',
  );
}

function seriesOf(measurement: Measurement): BaselineEntry['series'] {
  if (measurement.series.length > 0) return measurement.series.map(thin);
  throw new PawlError(
    'bad-data',
    `the measurement of ${caseLabel(measurement)} has no series`,
    'Measure it again with `pawl bench`.',
  );
}

function thin(series: Series): BaselineEntry['series'][number] {
  const { process, samples_ms, clock_mhz, warmup_cost_ms, sampling_cost_ms } = series;
  return {
    ...defined({ process }),
    samples_ms: samples_ms.map(rounded),
    ...defined({ clock_mhz: clock_mhz?.map(rounded) }),
    ...(warmup_cost_ms === undefined ? {} : { warmup_cost_ms: rounded(warmup_cost_ms) }),
    ...(sampling_cost_ms === undefined ? {} : { sampling_cost_ms: rounded(sampling_cost_ms) }),
  };
}

function rounded(value: number): number {
  return Number(value.toPrecision(SIGNIFICANT_DIGITS));
}

/** What an entry and a log record keep of a comparison; nothing for a case that has no estimate. */
export function confirmationOf(comparison: CaseComparison): Confirmation | undefined {
  if (comparison.state !== 'estimated') return undefined;
  const { change_pct, ci_pct, processes } = comparison;
  return { change_pct: rounded(change_pct), ci_pct: [rounded(ci_pct[0]), rounded(ci_pct[1])], processes };
}

/** Entries as a samples file, to compare a candidate with. */
export function entrySamples(entries: readonly BaselineEntry[]): Samples {
  return { schema: SAMPLES_SCHEMA, measurements: entries.map(measurementOf) };
}

function measurementOf({ key, dims, recorded, series, provenance }: BaselineEntry): Measurement {
  const { kernel, case: name, variant, mode, device } = key;
  const { commit, dirty, host, binary_sha256 } = provenance;
  return {
    ...defined({ kernel }),
    case: name,
    variant,
    ...defined({ mode, host, commit, dirty, dims, recorded }),
    ...(binary_sha256 === undefined ? {} : { binary: { sha256: binary_sha256 } }),
    device: {
      name: device.name,
      ...defined({ driver: device.driver, cuda_runtime: device.cuda }),
    },
    series,
  };
}
