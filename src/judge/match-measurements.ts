import { caseText } from '../model/judge/case-key.ts';
import type { DeviceInfo } from '../model/device/device.ts';
import { PawlError } from '../model/pawl-error.ts';
import type { Measurement, Samples } from '../model/measure/samples.ts';
import { variantText } from '../model/problem/variant.ts';
import { worseVerification } from '../model/correctness/worse-verification.ts';
import { holdSameRecordings } from './same-recordings.ts';

/** A case of the candidate with its baseline, where it has one. */
export interface Match {
  readonly baseline: Measurement | undefined;
  readonly candidate: Measurement;
}

export interface Matches {
  readonly pairs: readonly Match[];
  /** What only the baseline has. */
  readonly missing: readonly Measurement[];
}

/**
 * Pairs measurements of the same kernel, case, variant and mode. A file from elsewhere may leave kernel, variant
 * or mode out: what is absent on one side matches anything on the other, as long as only one thing matches.
 */
export function matchMeasurements(baseline: Samples, candidate: Samples): Matches {
  const before = merged(baseline, 'baseline');
  const after = merged(candidate, 'candidate');
  const byCase = new Map<string, Measurement[]>();
  for (const one of before) {
    const known = byCase.get(one.case);
    if (known === undefined) byCase.set(one.case, [one]);
    else known.push(one);
  }
  const taken = new Map<Measurement, Measurement>();
  const pairs = after.map((one): Match => {
    const same = (byCase.get(one.case) ?? []).filter((other) => isCompatible(other, one));
    const exact = same.filter((other) => exactKey(other) === exactKey(one));
    const found = exact.length === 1 ? exact : same;
    if (found.length > 1) throw ambiguous(one, 'baseline');
    const match = found[0];
    if (match !== undefined) {
      if (taken.has(match)) throw ambiguous(match, 'candidate');
      taken.set(match, one);
    }
    return { baseline: match, candidate: one };
  });
  return { pairs, missing: before.filter((one) => !taken.has(one)) };
}

function isCompatible(one: Measurement, other: Measurement): boolean {
  const agree = (a: string | undefined, b: string | undefined): boolean =>
    a === undefined || b === undefined || a === b;
  return (
    holdSameRecordings(one, other) &&
    agree(one.kernel, other.kernel) &&
    agree(one.mode, other.mode) &&
    agree(one.variant && variantText(one.variant), other.variant && variantText(other.variant))
  );
}

/** Unlike `caseId`: a variant that is left out may be any, and an empty one is one of its own. */
function exactKey({ kernel, case: name, variant, mode }: Measurement): string {
  return JSON.stringify([kernel, name, variant && variantText(variant), mode]);
}

/** Measurements of one commit under one key are one measurement: some tools write a record a process. */
function merged(samples: Samples, side: string): Measurement[] {
  const byKey = new Map<string, Measurement>();
  for (const one of samples.measurements) {
    const key = exactKey(one);
    const known = byKey.get(key);
    if (known === undefined) {
      byKey.set(key, one);
      continue;
    }
    if (known.commit !== one.commit || known.binary?.sha256 !== one.binary?.sha256) {
      throw new PawlError(
        'bad-data',
        `the ${side} has ${caseText(one)} of more than one commit or build`,
        'Use a separate file for each commit.',
      );
    }
    byKey.set(key, join(known, one));
  }
  return [...byKey.values()];
}

/** Separate records count their processes separately, so equal numbers are not the same process. */
function join(one: Measurement, other: Measurement): Measurement {
  const last = Math.max(0, ...one.series.map(({ process = 0 }) => process));
  const series = other.series.map((each) =>
    each.process === undefined ? each : { ...each, process: last + each.process },
  );
  const check = worseVerification(one.check, other.check);
  const lost = [...(one.lost ?? []), ...(other.lost ?? [])];
  const summaries = [...(one.summaries ?? []), ...(other.summaries ?? [])];
  return {
    ...one,
    series: [...one.series, ...series],
    check,
    ...(lost.length === 0 ? {} : { lost }),
    ...(summaries.length === 0 ? {} : { summaries }),
  };
}

function ambiguous(one: Measurement, side: string): PawlError {
  return new PawlError(
    'bad-data',
    `${caseText(one)} matches more than one measurement of the ${side}`,
    'Add kernel, variant and mode to both files.',
  );
}

/** How the devices of a pair differ, as far as the files tell; nothing where they do not. */
export function deviceMismatch(baseline: DeviceInfo, candidate: DeviceInfo): string | undefined {
  const differs = (a: string | undefined, b: string | undefined): boolean =>
    a !== undefined && b !== undefined && a !== b;
  if (differs(baseline.name, candidate.name)) {
    return `the baseline ran on ${baseline.name}, the candidate on ${candidate.name}`;
  }
  if (differs(baseline.driver, candidate.driver)) {
    return `the baseline ran with driver ${baseline.driver}, the candidate with ${candidate.driver}`;
  }
  return undefined;
}
