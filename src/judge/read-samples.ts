import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { caseText } from '../model/judge/case-key.ts';
import { defined } from '../model/defined.ts';
import { jsonFault } from '../model/json-fault.ts';
import { worstLoad } from '../model/device/load.ts';
import { PawlError } from '../model/pawl-error.ts';
import { parseSamples } from '../model/measure/parse-samples.ts';
import { mergeSkipped } from '../model/measure/skipped-kernel.ts';
import { SAMPLES_SCHEMA, type Measurement, type Samples } from '../model/measure/samples.ts';
import { realPathBelow } from '../os/below-folder.ts';

const EXPECTED = `Expected a ${SAMPLES_SCHEMA} file, such as \`pawl bench --out FILE.json\` writes, or a folder of them.`;
const NO_LINKS = 'Copy the file into the folder.';

interface ReadOptions {
  /** A folder, without links in it, that links in a folder of samples may not lead out of. */
  readonly within?: string | undefined;
}

/** Reads a samples file, or a folder of them as if it were one. */
export async function readSamples(path: string, { within }: ReadOptions = {}): Promise<Samples> {
  if (!(await statOf(path)).isDirectory()) return readSamplesFile(path);
  const names = (await readdir(path)).filter((name) => name.endsWith('.json')).sort();
  if (names.length === 0) {
    throw new PawlError('bad-data', `There is no .json file in the folder ${path}.`, EXPECTED);
  }
  const files = await Promise.all(
    names.map(async (name) => {
      const file = join(path, name);
      return { file, samples: await readSamplesFile(await followed(file, within)) };
    }),
  );
  return files.length === 1 ? files[0]!.samples : merge(files);
}

/** Where a file of a folder really lies. */
async function followed(file: string, within: string | undefined): Promise<string> {
  if (within === undefined) return file;
  const real = await realPathBelow(within, file).catch((error: unknown) => {
    throw readError(file, error);
  });
  if (real !== undefined) return real;
  throw new PawlError('permission', `${file} is a link that leads outside the project.`, NO_LINKS);
}

async function statOf(path: string): Promise<Awaited<ReturnType<typeof stat>>> {
  try {
    return await stat(path);
  } catch (error) {
    throw readError(path, error);
  }
}

function readError(path: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return new PawlError('usage', `There is no ${path}.`, EXPECTED);
  }
  if (code === 'EACCES') return new PawlError('permission', `${path} cannot be read: permission denied.`);
  return error;
}

async function readSamplesFile(path: string): Promise<Samples> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw readError(path, error);
  });
  const value = parse(text, path);
  const schema = typeof value === 'object' && value !== null && 'schema' in value ? value.schema : undefined;
  if (schema !== SAMPLES_SCHEMA) {
    const found = typeof schema === 'string' ? `has schema "${schema}"` : 'has no schema';
    throw new PawlError('bad-data', `${path} ${found}; only ${SAMPLES_SCHEMA} can be compared.`, EXPECTED);
  }
  const result = parseSamples(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const where = issue === undefined || issue.path.length === 0 ? '' : ` at ${issue.path.join('.')}`;
  const message = `${path} does not match the schema ${SAMPLES_SCHEMA}${where}: ${issue?.message ?? 'unknown'}.`;
  throw new PawlError('bad-data', message, 'docs/schemas describes the format.');
}

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const body = text.trim();
    if (body === '') throw new PawlError('bad-data', `${path} is empty.`, EXPECTED);
    // Every samples file is one object: one that begins and does not end was cut off.
    if (body.startsWith('{') && !body.endsWith('}')) {
      const message = `${path} is truncated: it ends after ${text.length} characters.`;
      throw new PawlError('bad-data', message, 'Create or download it again.');
    }
    throw new PawlError('bad-data', `${path} is not JSON: ${jsonFault(error, text)}.`, EXPECTED);
  }
}

interface SamplesFile {
  readonly file: string;
  readonly samples: Samples;
}

/** A case in two files is refused, not pooled: it is not clear which of them was meant. */
function merge(files: readonly SamplesFile[]): Samples {
  const owners = new Map<string, string>();
  for (const { file, samples } of files) {
    for (const key of new Set(samples.measurements.map((one) => caseText(one)))) {
      const owner = owners.get(key);
      if (owner !== undefined) {
        const message = `${key} is in both ${owner} and ${file}.`;
        throw new PawlError('bad-data', message, 'Keep one of them in the folder, or give a file.');
      }
      owners.set(key, file);
    }
  }
  const incomplete = files.flatMap(({ samples }) => samples.incomplete ?? []);
  const environments = files.map(({ samples }) => samples.environment ?? {});
  const loads = environments.flatMap(({ load }) => load ?? []);
  return {
    schema: SAMPLES_SCHEMA,
    environment: {
      ...sharedFields(environments),
      ...(loads.length === 0 ? {} : { load: worstLoad(loads) }),
    },
    ...(incomplete.length === 0 ? {} : { incomplete: incomplete.join('; ') }),
    measurements: files.flatMap(({ samples }) => samples.measurements.map((one) => withPlace(one, samples))),
    ...mergeSkipped(files.map(({ samples }) => samples)),
  };
}

/** What a file says of all its measurements, each of them says itself. */
function withPlace(measurement: Measurement, { device, environment }: Samples): Measurement {
  return { ...defined({ device, host: environment?.host }), ...measurement };
}

/** What all files say alike. */
function sharedFields<Fields extends object>(all: readonly Fields[]): Fields {
  const entries = Object.entries(all[0]!).filter(([name, value]) => {
    const text = JSON.stringify(value);
    return all.every((fields) => JSON.stringify(fields[name as keyof Fields]) === text);
  });
  return Object.fromEntries(entries) as Fields;
}
