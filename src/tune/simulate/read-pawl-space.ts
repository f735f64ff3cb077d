import { PawlError } from '../../model/pawl-error.ts';
import { recordedSpaceSchema } from '../../model/tune/recorded-space.ts';
import type { RecordedRow, RecordedSpace } from '../../model/tune/recorded-space.ts';
import { asTunableValue } from './record-rows.ts';

/** Reads `pawl.space/1`. */
export function readPawlSpace(document: unknown, file: string): RecordedSpace {
  const parsed = recordedSpaceSchema.safeParse(document);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw badSpace(file, `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not valid'}`);
  }
  const { data } = parsed;
  const tunables = Object.entries(data.tunables).map(([name, values]) => ({
    name,
    values: values.map(asTunableValue),
  }));
  const rows = data.configs.map(([indices, time, status], row): RecordedRow => {
    if (indices.length !== tunables.length) {
      throw badSpace(file, `configs.${row}: ${indices.length} indices for ${tunables.length} tunables`);
    }
    const wrong = indices.findIndex((index, tunable) => index >= tunables[tunable]!.values.length);
    if (wrong >= 0) {
      throw badSpace(file, `configs.${row}: \`${tunables[wrong]!.name}\` has no value ${indices[wrong]}`);
    }
    const time_ms = time !== null && (status ?? 'ok') === 'ok' ? time : undefined;
    if (time_ms !== undefined && !(time_ms > 0)) {
      throw badSpace(file, `configs.${row}: a time of ${time_ms} ms`);
    }
    return { indices, time_ms, status: status ?? (time === null ? 'run_failed' : 'ok') };
  });
  return { name: data.name ?? file, tunables, constraints: data.constraints ?? [], rows };
}

export function badSpace(file: string, reason: string): PawlError {
  return new PawlError(
    'bad-data',
    `${file} is not a recorded space: ${reason}`,
    'A recorded space is a pawl.space/1 file, a cache file of Kernel Tuner, or T4 results; docs/samplers.md describes them.',
  );
}
