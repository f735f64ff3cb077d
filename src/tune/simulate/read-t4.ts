import { z } from 'zod';

import type { RecordedSpace } from '../../model/tune/recorded-space.ts';
import { badSpace } from './read-pawl-space.ts';
import { recordRows } from './record-rows.ts';
import type { LoggedRow } from './record-rows.ts';

/**
 * T4, the results format that several tuners share (github.com/AutoTuningAssociation/schemas). A result that was
 * tried and found invalid, for whatever reason, cost its tuner a trial and does so here.
 */
const resultSchema = z.object({
  configuration: z.record(z.string(), z.unknown()),
  times: z.looseObject({ runtimes: z.array(z.unknown()).optional() }).optional(),
  invalidity: z.string().nullish(),
  correctness: z.unknown().optional(),
  measurements: z
    .array(z.looseObject({ name: z.string(), value: z.unknown(), unit: z.string().nullish() }))
    .optional(),
  objectives: z.array(z.string()).optional(),
});
const resultsSchema = z.object({ results: z.array(resultSchema).min(1) });

type Result = z.infer<typeof resultSchema>;

/** Milliseconds in a unit; T4 of Kernel Tuner leaves the unit empty at times, and means milliseconds. */
const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1e3,
  seconds: 1e3,
  ms: 1,
  milliseconds: 1,
  '': 1,
  us: 1e-3,
  µs: 1e-3,
  microseconds: 1e-3,
  ns: 1e-6,
  nanoseconds: 1e-6,
};

/** What a measurement of time is called, best first. */
const TIME_NAMES = ['time', 'runtime', 'kernel_time', 'time_ms'];

export function isT4(document: object): boolean {
  return 'results' in document;
}

export function readT4(document: unknown, file: string): RecordedSpace {
  const parsed = resultsSchema.safeParse(document);
  if (!parsed.success) throw badSpace(file, parsed.error.issues[0]?.message ?? 'not valid');
  const { results } = parsed.data;
  const keys = [...new Set(results.flatMap(({ configuration }) => Object.keys(configuration)))];
  const logged = results.map((result, index): LoggedRow => {
    const missing = keys.find((key) => !(key in result.configuration));
    if (missing !== undefined) throw badSpace(file, `results.${index} has no \`${missing}\``);
    return rowOf(result, file, index);
  });
  return recordRows(file, new Map(keys.map((key) => [key, []])), logged);
}

function rowOf(result: Result, file: string, index: number): LoggedRow {
  const { configuration: values } = result;
  const invalidity = result.invalidity ?? 'correct';
  const time_ms =
    invalidity === 'correct' && result.correctness !== 0 ? timeOf(result, file, index) : undefined;
  if (time_ms !== undefined) return { values, time_ms, status: 'ok' };
  return { values, time_ms, status: invalidity === 'compile' ? 'build_failed' : 'run_failed' };
}

function timeOf(result: Result, file: string, index: number): number | undefined {
  const wanted = [...TIME_NAMES, ...(result.objectives ?? [])];
  const measurements = result.measurements ?? [];
  const name = wanted.find((one) => measurements.some((measurement) => measurement.name === one));
  const measurement = measurements.find((one) => one.name === name);
  if (typeof measurement?.value === 'number' && measurement.value > 0) {
    const unit = (measurement.unit ?? '').toLowerCase();
    const scale = UNIT_MS[unit];
    if (scale === undefined) throw badSpace(file, `results.${index}: \`${unit}\` is not a unit of time`);
    return measurement.value * scale;
  }
  const runtimes = (result.times?.runtimes ?? []).filter((time) => typeof time === 'number');
  if (measurement !== undefined || runtimes.length === 0) return undefined;
  return runtimes.reduce((sum, time) => sum + time, 0) / runtimes.length;
}
