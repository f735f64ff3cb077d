import { createHash } from 'node:crypto';

import type { RunDocument } from '../model/history/history-api.ts';
import type { Measurement, Samples, Series } from '../model/measure/samples.ts';
import { SIDES, type Side, type StoredRun } from '../model/history/stored-run.ts';
import { canonicalJson } from '../os/canonical-json.ts';

/** A run taken apart: the document without series, and the measurements with theirs. */
export interface RunParts {
  readonly id: string;
  readonly document: RunDocument;
  readonly measurements: readonly MeasurementPart[];
}

interface MeasurementPart {
  readonly side: Side;
  readonly position: number;
  readonly measurement: Measurement;
  readonly samples: Samples;
  readonly hash: string;
}

/** 160 bits: two runs never get the same id, and it still fits a line. */
const ID_DIGITS = 40;
/** 128 bits, one a measurement, kept for good. */
const HASH_DIGITS = 32;

export function partsOf(run: StoredRun): RunParts {
  const measurements = SIDES.flatMap((side) => {
    const samples = run.sides[side];
    if (samples === undefined) return [];
    return samples.measurements.map((measurement, position): MeasurementPart => ({
      side,
      position,
      measurement,
      samples,
      hash: seriesHash(measurement.series),
    }));
  });
  const document = documentOf(run);
  return { id: runId(document, measurements), document, measurements };
}

function documentOf(run: StoredRun): RunDocument {
  const { head, base, control } = run.sides;
  const without = ({ measurements, ...rest }: Samples) => ({
    ...rest,
    measurements: measurements.map(withoutSeries),
  });
  return {
    ...run,
    sides: {
      head: without(head),
      ...(base === undefined ? {} : { base: without(base) }),
      ...(control === undefined ? {} : { control: without(control) }),
    },
  };
}

function withoutSeries(measurement: Measurement): Omit<Measurement, 'series'> {
  const { series: _, ...facts } = measurement;
  return facts;
}

/**
 * The hash of everything, over the hashes of the measurements' series: those are kept, so a run can be proven to be
 * the one that was stored after retention has thinned its samples.
 */
export function runId(
  document: RunDocument,
  measurements: readonly { readonly side: Side; readonly position: number; readonly hash: string }[],
): string {
  // The circumstances, which a samples file does not tell: a run that is imported later is still the same run.
  const { branch: _, pull_request: __, money: ___, device_s: ____, ...identity } = document;
  const hash = createHash('sha256').update(canonicalJson(identity));
  for (const one of measurements) hash.update(`\n${one.side} ${one.position} ${one.hash}`);
  return hash.digest('hex').slice(0, ID_DIGITS);
}

/** Of numbers by their bytes: a document of a million samples takes milliseconds, not seconds. */
export function seriesHash(series: readonly Series[]): string {
  const hash = createHash('sha256');
  for (const { samples_ms, clock_mhz, throttled_ms, ...facts } of series) {
    hash.update(canonicalJson(facts));
    for (const numbers of [samples_ms, clock_mhz, throttled_ms]) {
      hash.update(`\n${numbers?.length ?? 'none'}\n`);
      if (numbers !== undefined) hash.update(new Uint8Array(Float64Array.from(numbers).buffer));
    }
  }
  return hash.digest('hex').slice(0, HASH_DIGITS);
}

export function measurementId(run: string, side: Side, position: number): string {
  return `${run}-${side[0]}${position}`;
}

export function parseMeasurementId(
  id: string,
): { readonly run: string; readonly side: Side; readonly position: number } | undefined {
  const match = /^([0-9a-f]{40})-([hbc])(\d{1,6})$/.exec(id);
  if (match === null) return undefined;
  const side = SIDES.find((each) => each.startsWith(match[2]!))!;
  return { run: match[1]!, side, position: Number(match[3]) };
}
