import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';

import { NPY_BEGINNING_BYTES, parseNpyHeader } from './npy-header.ts';
import { RecordingFault } from './recording-fault.ts';
import {
  parseSafetensorsHeader,
  SAFETENSORS_LENGTH_BYTES,
  safetensorsHeaderBytes,
} from './safetensors-header.ts';
import type { TensorPlace } from './tensor-place.ts';

/** Contents of a tensor that lie in a file. */
export interface Recording extends TensorPlace {
  /** Absolute. */
  readonly path: string;
  /** Of the tensor's own bytes: what identifies the contents, whatever else the file holds. */
  readonly sha256: string;
}

const READ_AT_ONCE_BYTES = 4 << 20;

/** Clocks of file systems tick; a file that changed just now may change again without a new time. */
const SETTLED_MS = 2000;

/** By path and tensor: files that were read, with everything that changes when the file does. */
const known = new Map<string, { readonly identity: string; readonly recording: Recording }>();

/**
 * Reads where a tensor lies in a file, and hashes it.
 *
 * @param tensor its name in a .safetensors file
 * @returns undefined where there is no such file, or no plain one
 * @throws {RecordingFault} for a file that does not hold it
 */
export async function readRecording(
  path: string,
  tensor: string | undefined,
): Promise<Recording | undefined> {
  const file = await openPlainly(path);
  if (file === undefined) return undefined;
  try {
    const looked_ms = Date.now();
    const { dev, ino, size, mtimeNs, ctimeNs, ctimeMs } = await file.stat({ bigint: true });
    const key = `${path}\n${tensor ?? ''}`;
    const identity = [dev, ino, size, mtimeNs, ctimeNs].join(' ');
    const seen = known.get(key);
    if (seen?.identity === identity) return seen.recording;
    const place = await placeIn(file, Number(size), tensor);
    const recording = { ...place, path, sha256: await hashOf(file, place) };
    if (looked_ms - Number(ctimeMs) > SETTLED_MS) known.set(key, { identity, recording });
    return recording;
  } finally {
    await file.close();
  }
}

const NO_FILE = new Set(['ENOENT', 'ENOTDIR', 'EISDIR']);

/** A pipe is not waited for. */
async function openPlainly(path: string): Promise<FileHandle | undefined> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    if ((await file.stat()).isFile()) return file;
    await file.close();
    return undefined;
  } catch (error) {
    const { code = 'an unknown error' } = error as NodeJS.ErrnoException;
    if (NO_FILE.has(code)) return undefined;
    throw new RecordingFault(`it cannot be read (${code})`);
  }
}

async function placeIn(
  file: FileHandle,
  fileBytes: number,
  tensor: string | undefined,
): Promise<TensorPlace> {
  if (tensor === undefined) return parseNpyHeader(await bytesAt(file, 0, NPY_BEGINNING_BYTES), fileBytes);
  const length = safetensorsHeaderBytes(await bytesAt(file, 0, SAFETENSORS_LENGTH_BYTES), fileBytes);
  const header = await bytesAt(file, SAFETENSORS_LENGTH_BYTES, length);
  return parseSafetensorsHeader(header, fileBytes, tensor);
}

/** So many, or fewer where the file ends before. */
async function bytesAt(file: FileHandle, from: number, count: number): Promise<Buffer> {
  const bytes = Buffer.alloc(count);
  let got = 0;
  for (let part = -1; part !== 0 && got < count; got += part) {
    part = (await file.read(bytes, got, count - got, from + got)).bytesRead;
  }
  return bytes.subarray(0, got);
}

async function hashOf(file: FileHandle, { offset, bytes }: TensorPlace): Promise<string> {
  const hash = createHash('sha256');
  for (let at = 0; at < bytes; at += READ_AT_ONCE_BYTES) {
    const count = Math.min(READ_AT_ONCE_BYTES, bytes - at);
    const part = await bytesAt(file, offset + at, count);
    if (part.length < count) throw new RecordingFault('it changed while it was read');
    hash.update(part);
  }
  return hash.digest('hex');
}
