import { defined } from '../model/defined.ts';
import { caseId, caseLabel } from '../model/judge/case-key.ts';
import type { DeviceInfo } from '../model/device/device.ts';
import { PawlError } from '../model/pawl-error.ts';
import { SAMPLES_SCHEMA, type Measurement, type Samples } from '../model/measure/samples.ts';
import { worseVerification } from '../model/correctness/worse-verification.ts';
import type { Reading } from './adapter.ts';

/** What was named on the command line as one thing: a file, or a folder with several. All of it is one run. */
export interface Run {
  readonly name: string;
  readonly readings: readonly Reading[];
}

export interface JoinOptions {
  /** The number of the first process. */
  readonly process?: number | undefined;
  readonly kernel?: string | undefined;
  /** Takes kernel and case from a benchmark's name by the groups `kernel` and `case`. */
  readonly caseFrom?: RegExp | undefined;
  readonly device?: string | undefined;
  readonly commit?: string | undefined;
  /** Of the commit. */
  readonly commitTime?: Date | undefined;
}

export interface JoinedRuns {
  readonly samples: Samples;
  /** Of each run, in order: the processes that it became. */
  readonly processes: readonly (readonly number[])[];
  /** Names that `caseFrom` does not match: left as they were. */
  readonly unmatched: readonly string[];
}

/** Several runs of the same benchmarks become several processes of the same measurements. */
export function joinRuns(runs: readonly Run[], options: JoinOptions): JoinedRuns {
  const byKey = new Map<string, Measurement>();
  const unmatched = new Set<string>();
  const processes: number[][] = [];
  let offset = (options.process ?? 1) - 1;
  for (const run of runs) {
    const inRun = new Map<string, string>();
    const numbers = new Set<number>();
    for (const { measurements, device } of run.readings) {
      for (const original of measurements) {
        const named = renamed(original, options, unmatched);
        const one = placed({ ...named, ...deviceOf(named.device ?? device, options) }, offset, numbers);
        const key = caseId(one);
        const owner = inRun.get(key);
        if (owner !== undefined) throw collision(run.name, owner, caseLabel(original));
        inRun.set(key, caseLabel(original));
        const known = byKey.get(key);
        byKey.set(key, known === undefined ? one : joined(known, one, run.name));
      }
    }
    processes.push([...numbers].sort((a, b) => a - b));
    for (const process of numbers) offset = Math.max(offset, process);
    if (!Number.isSafeInteger(offset)) throw tooMany(run.name);
  }
  return {
    samples: withSharedDevice([...byKey.values()]),
    processes,
    unmatched: [...unmatched],
  };
}

function renamed(
  one: Measurement,
  { kernel, caseFrom, commit, commitTime }: JoinOptions,
  unmatched: Set<string>,
): Measurement {
  const groups = caseFrom?.exec(caseLabel(one))?.groups;
  if (caseFrom !== undefined && groups === undefined) unmatched.add(caseLabel(one));
  const newKernel = kernel ?? groups?.['kernel'];
  return {
    ...one,
    ...defined({ kernel: newKernel }),
    ...(groups?.['case'] === undefined ? {} : { case: groups['case'] }),
    ...defined({ commit, committed_at: commitTime?.toISOString() }),
  };
}

/** What the file says wins; the user's name is for files that say nothing. */
function deviceOf(device: DeviceInfo | undefined, { device: name }: JoinOptions): { device?: DeviceInfo } {
  if (name === undefined) return defined({ device });
  if (device?.name !== undefined && device.name !== name) {
    throw new PawlError(
      'usage',
      `--device says ${name}, but the file says ${device.name}.`,
      'Leave out --device: it is for files that do not name one.',
    );
  }
  return { device: { ...device, name } };
}

/** With the processes of this run numbered after those of the runs before it. */
function placed(one: Measurement, offset: number, numbers: Set<number>): Measurement {
  const place = <Part extends { readonly process?: number | undefined }>(part: Part, at: number): Part => {
    const process = offset + (part.process ?? at + 1);
    numbers.add(process);
    return { ...part, process };
  };
  const { series, summaries, lost, ...rest } = one;
  return {
    ...rest,
    series: series.map(place),
    ...defined({ summaries: summaries?.map(place) }),
    ...defined({ lost: lost?.map(place) }),
  };
}

function joined(one: Measurement, other: Measurement, run: string): Measurement {
  const differs = (a: string | undefined, b: string | undefined): boolean =>
    a !== undefined && b !== undefined && a !== b;
  if (differs(one.device?.name, other.device?.name) || differs(one.device?.driver, other.device?.driver)) {
    throw new PawlError(
      'bad-data',
      `${run} was measured on a different device or driver than the files before it.`,
      'Runs of one device make one file: import the others apart.',
    );
  }
  if (differs(one.commit, other.commit) || differs(one.binary?.sha256, other.binary?.sha256)) {
    throw new PawlError(
      'bad-data',
      `${run} has ${caseLabel(other)} of a different commit or build than the files before it.`,
      'Runs of one build make one file: import the others apart, and compare them.',
    );
  }
  const check = worseVerification(one.check, other.check);
  const summaries = [...(one.summaries ?? []), ...(other.summaries ?? [])];
  const lost = [...(one.lost ?? []), ...(other.lost ?? [])];
  const warnings = [...new Set([...(one.warnings ?? []), ...(other.warnings ?? [])])];
  return {
    ...one,
    ...defined({ check }),
    series: [...one.series, ...other.series],
    ...(summaries.length === 0 ? {} : { summaries }),
    ...(lost.length === 0 ? {} : { lost }),
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}

function tooMany(run: string): PawlError {
  return new PawlError('bad-data', `${run} has a process number that is too large.`, 'Number them from 1.');
}

function collision(run: string, one: string, other: string): PawlError {
  return new PawlError(
    'usage',
    `In ${run}, ${one} and ${other} would become one measurement.`,
    'Check --kernel and --case-from: different benchmarks need different names.',
  );
}

/** A device that all measurements share is said once. */
function withSharedDevice(measurements: readonly Measurement[]): Samples {
  const [first] = measurements;
  const text = JSON.stringify(first?.device);
  const isShared =
    first?.device !== undefined && measurements.every(({ device }) => JSON.stringify(device) === text);
  if (!isShared) return { schema: SAMPLES_SCHEMA, measurements: [...measurements] };
  return {
    schema: SAMPLES_SCHEMA,
    device: first.device,
    measurements: measurements.map(withoutDevice),
  };
}

function withoutDevice(measurement: Measurement): Measurement {
  const { device: _, ...rest } = measurement;
  return rest;
}
