import { readFileSync, realpathSync, statSync } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { gunzipSync } from 'node:zlib';

import type { RawSource } from '../readers/read-source.ts';
import { CRITERION_SAMPLES } from '../readers/criterion.ts';
import { PawlError } from '../../model/pawl-error.ts';
import { isSqlite, nsysKernels } from './nsys-sqlite.ts';

/** Larger than any tool's file of a day's work; JavaScript's strings end at 512 Mi characters. */
const MAX_BYTES = 256 * 1024 * 1024;
/** Criterion's folders have four levels below theirs. */
const MAX_DEPTH = 12;
const MAX_FILES = 20_000;

/** The files of one run: the file itself, or Criterion's samples in a folder. */
export async function filesOfRun(path: string): Promise<readonly RawSource[]> {
  if (!(await isFolder(path))) return [await rawSource(path, basename(path))];
  const found = await samplesBelow(path);
  if (found.length === 0) {
    throw new PawlError(
      'usage',
      `${path} is a folder without ${CRITERION_SAMPLES} anywhere in it.`,
      'Give files, or a folder that Criterion wrote: target/criterion.',
    );
  }
  const sources = [];
  for (const file of found) sources.push(await rawSource(file, relative(path, file).split(sep).join('/')));
  return sources;
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    throw readError(path, error);
  }
}

function readError(path: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return new PawlError('usage', `There is no ${path}.`, 'Give the files that the benchmark wrote.');
  }
  if (code === 'EACCES') return new PawlError('permission', `${path} cannot be read: permission denied.`);
  return error;
}

/** In name order, so that the same folder gives the same file. Links are not followed. */
async function samplesBelow(folder: string, depth = 0): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    if (!entry.isDirectory() || depth >= MAX_DEPTH) continue;
    const below = join(folder, entry.name);
    if (entry.name === 'new') {
      const file = join(below, 'sample.json');
      if (statSync(file, { throwIfNoEntry: false })?.isFile() === true) found.push(file);
    } else found.push(...(await samplesBelow(below, depth + 1)));
    if (found.length > MAX_FILES) {
      throw new PawlError(
        'bad-data',
        `${folder} holds more than ${MAX_FILES} benchmarks.`,
        'Give a subfolder of it.',
      );
    }
  }
  return found;
}

async function rawSource(path: string, name: string): Promise<RawSource> {
  const bytes = await bytesOf(path, name);
  const readable = isSqlite(bytes) ? await nsysKernels(bytes, name) : unpacked(bytes, name);
  return { name, bytes: readable, beside: (file) => bytesBeside(path, file) };
}

/** torch.profiler writes its traces as .json.gz where it is asked to. */
function unpacked(bytes: Uint8Array, name: string): Uint8Array {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_BYTES });
  } catch (error) {
    const isLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    throw new PawlError(
      'bad-data',
      isLarge ? `${name} unpacks to more than ${MAX_BYTES >> 20} MiB.` : `${name} is a damaged gzip file.`,
      isLarge ? 'Profile a smaller part.' : 'Copy it again.',
    );
  }
}

/** Also of a pipe, which has no size beforehand. */
async function bytesOf(path: string, name: string): Promise<Uint8Array> {
  let file;
  try {
    file = await open(path, 'r');
  } catch (error) {
    throw readError(path, error);
  }
  try {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of file.createReadStream({ autoClose: false })) {
      size += (chunk as Buffer).length;
      if (size > MAX_BYTES) {
        throw new PawlError(
          'bad-data',
          `${name} has more than ${MAX_BYTES >> 20} MiB.`,
          'Import it in parts.',
        );
      }
      chunks.push(chunk as Buffer);
    }
    return Buffer.concat(chunks);
  } finally {
    await file.close();
  }
}

/** A file in or below the folder of another, after links were followed; nothing for one that lies elsewhere. */
function bytesBeside(path: string, file: string): Uint8Array | undefined {
  try {
    const folder = realpathSync(dirname(path));
    const target = realpathSync(join(folder, file));
    if (!target.startsWith(folder.endsWith(sep) ? folder : folder + sep)) return undefined;
    const { size } = statSync(target);
    if (size > MAX_BYTES) return undefined;
    return readFileSync(target);
  } catch {
    return undefined;
  }
}
