import type { z } from 'zod';

import { isRecord } from '../is-record.ts';
import { LEAST_SAMPLE_MS, MOST_SAMPLE_MS, samplesSchema, type Samples } from './samples.ts';

/** The long arrays of a series: numbers between two limits. */
const LONG = [
  ['samples_ms', LEAST_SAMPLE_MS, MOST_SAMPLE_MS],
  ['clock_mhz', Number.MIN_VALUE, Number.MAX_VALUE],
] as const;

/**
 * Checks a samples file, as `samplesSchema.safeParse` does. A schema makes an object for every number it looks at,
 * which is most of the time a large comparison takes; so long arrays are looked at here, in one pass, and only
 * those with a fault in them are left to the schema, which says what it is.
 */
export function parseSamples(value: unknown): z.ZodSafeParseResult<Samples> {
  const sound: {
    readonly series: Record<string, unknown>;
    readonly name: string;
    readonly array: number[];
  }[] = [];
  for (const series of seriesOf(value)) {
    for (const [name, least, most] of LONG) {
      const array = series[name];
      if (!isBetween(array, least, most)) continue;
      sound.push({ series, name, array });
      series[name] = [1];
    }
  }
  const result = samplesSchema.safeParse(value);
  for (const { series, name, array } of sound) series[name] = array;
  if (!result.success) return result;
  // The schema copies what it keeps, in order: put the arrays where their stand-ins are.
  const arrays = sound.values();
  for (const { series } of result.data.measurements) {
    for (const one of series)
      for (const [name] of LONG) if (name in one) one[name] = arrays.next().value!.array;
  }
  return result;
}

function isBetween(array: unknown, least: number, most: number): array is number[] {
  return (
    Array.isArray(array) &&
    array.length > 0 &&
    array.every((each) => typeof each === 'number' && each >= least && each <= most)
  );
}

function seriesOf(value: unknown): Record<string, unknown>[] {
  const measurements = list(property(value, 'measurements'));
  return measurements.flatMap((one) => list(property(one, 'series'))).filter(isRecord);
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function property(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined;
}
