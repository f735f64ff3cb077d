import { z } from 'zod';

import type { RecordedSpace } from '../../model/tune/recorded-space.ts';
import { badSpace } from './read-pawl-space.ts';
import { recordRows } from './record-rows.ts';
import type { LoggedRow } from './record-rows.ts';

/**
 * A cache file of Kernel Tuner, of versions with and without a `schema_version`. An entry has a value for every
 * tunable, and a `time` in milliseconds; a failed one has the name of an error there, or 1e20 in early versions.
 */
const cacheSchema = z.object({
  kernel_name: z.string().optional(),
  device_name: z.string().optional(),
  tune_params_keys: z.array(z.string()).optional(),
  tune_params: z.record(z.string(), z.array(z.unknown())).optional(),
  cache: z.record(z.string(), z.record(z.string(), z.unknown())),
});

/** What early versions wrote for a configuration that failed. */
const FAILED_TIME = 1e20;

const BUILD_ERRORS: readonly unknown[] = ['CompilationFailedConfig', 'InvalidConfig'];

export function isKernelTunerCache(document: object): boolean {
  return 'cache' in document;
}

export function readKernelTunerCache(document: unknown, file: string): RecordedSpace {
  const parsed = cacheSchema.safeParse(document);
  if (!parsed.success) throw badSpace(file, parsed.error.issues[0]?.message ?? 'not valid');
  const { cache, kernel_name, device_name, tune_params = {} } = parsed.data;
  const entries = Object.entries(cache);
  const keys = parsed.data.tune_params_keys ?? Object.keys(tune_params);
  if (keys.length === 0) throw badSpace(file, 'it does not list the tunables');
  const logged = entries.map(([key, entry]): LoggedRow => {
    const missing = keys.find((name) => !(name in entry));
    if (missing !== undefined) throw badSpace(file, `entry ${key} has no \`${missing}\``);
    return rowOf(entry);
  });
  const name = [kernel_name, device_name].filter((part) => part !== undefined && part !== '').join(' on ');
  return recordRows(
    name === '' ? file : name,
    new Map(keys.map((key) => [key, tune_params[key] ?? []])),
    logged,
  );
}

function rowOf(values: Readonly<Record<string, unknown>>): LoggedRow {
  const { time, times } = values;
  const measured = typeof time === 'number' ? time : time === undefined ? meanOf(times) : undefined;
  if (measured !== undefined && measured > 0 && measured < FAILED_TIME) {
    return { values, time_ms: measured, status: 'ok' };
  }
  return { values, time_ms: undefined, status: BUILD_ERRORS.includes(time) ? 'build_failed' : 'run_failed' };
}

function meanOf(times: unknown): number | undefined {
  if (!Array.isArray(times) || times.length === 0) return undefined;
  const sum = times.reduce((total: number, time: unknown) => total + Number(time), 0);
  return Number.isFinite(sum) ? sum / times.length : undefined;
}
