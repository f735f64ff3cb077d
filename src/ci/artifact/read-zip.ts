import { crc32, inflateRawSync } from 'node:zlib';

import { collidingName, zipNameProblem } from './zip-name.ts';
import { locateZipEntry, readZipDirectory, refusedZip, type ZipEntry } from './zip-records.ts';

interface ZipLimits {
  readonly entries: number;
  /** Of one file that is read, and of all files together as they claim. */
  readonly fileBytes: number;
  readonly totalBytes: number;
  /** Unpacked over packed. Deflate reaches 1032; a report of thousands of like cases stays below 100. */
  readonly ratio: number;
}

const ARTIFACT_LIMITS: ZipLimits = {
  entries: 5000,
  fileBytes: 2 ** 24,
  totalBytes: 2 ** 29,
  ratio: 200,
};

/** A small file may be one repeated character. */
const RATIO_FREE_BYTES = 2 ** 16;

/**
 * The wanted files of an archive that a stranger made. All of the archive is checked, and nothing but what is wanted
 * is unpacked: into memory, never further than the size that the directory gives.
 */
export function readZip(
  bytes: Uint8Array,
  wanted: readonly string[],
  limits: ZipLimits = ARTIFACT_LIMITS,
): Map<string, Uint8Array> {
  const directory = readZipDirectory(bytes, limits.entries);
  checkNames(directory.entries);
  checkSizes(directory.entries, limits);
  const starts = tile(bytes, directory.entries, directory.offset);
  const files = new Map<string, Uint8Array>();
  for (const entry of directory.entries) {
    if (wanted.includes(entry.name)) files.set(entry.name, unpack(bytes, entry, starts.get(entry)!, limits));
  }
  return files;
}

function checkNames(entries: readonly ZipEntry[]): void {
  const seen = new Set<string>();
  for (const { name } of entries) {
    const problem = zipNameProblem(name);
    if (problem !== undefined) throw refusedZip(problem);
    const key = collidingName(name);
    if (seen.has(key)) throw refusedZip('two entries have the same name');
    seen.add(key);
  }
}

function checkSizes(entries: readonly ZipEntry[], { totalBytes, ratio }: ZipLimits): void {
  let total = 0;
  for (const { bytes, packedBytes } of entries) {
    total += bytes;
    if (bytes > RATIO_FREE_BYTES && bytes > ratio * packedBytes) {
      throw refusedZip(`an entry grows more than ${ratio} times`);
    }
  }
  if (total > totalBytes) throw refusedZip(`it unpacks to more than ${totalBytes} bytes`);
}

/**
 * Where each entry's data begins. Entries must lie one behind the other from the first byte to the directory:
 * nothing overlaps (a small archive that unpacks to petabytes), and nothing lies between them that another reader
 * would find.
 */
function tile(bytes: Uint8Array, entries: readonly ZipEntry[], limit: number): Map<ZipEntry, number> {
  const starts = new Map<ZipEntry, number>();
  let at = 0;
  for (const entry of entries.toSorted((one, other) => one.offset - other.offset)) {
    if (entry.offset !== at) throw refusedZip('its entries overlap or leave gaps');
    const { start, end } = locateZipEntry(bytes, entry, limit);
    starts.set(entry, start);
    at = end;
  }
  if (at !== limit) throw refusedZip('its entries overlap or leave gaps');
  return starts;
}

function unpack(bytes: Uint8Array, entry: ZipEntry, start: number, { fileBytes }: ZipLimits): Uint8Array {
  if (entry.bytes > fileBytes) throw refusedZip(`a report is larger than ${fileBytes} bytes`);
  const packed = bytes.subarray(start, start + entry.packedBytes);
  const unpacked = entry.method === 0 ? packed : inflate(packed, entry.bytes);
  if (unpacked.length !== entry.bytes || crc32(unpacked) !== entry.crc) {
    throw refusedZip('a file is not what the directory says');
  }
  return unpacked;
}

function inflate(packed: Uint8Array, size: number): Uint8Array {
  try {
    // One byte more than it says, so that a file that goes on is seen to.
    return inflateRawSync(packed, { maxOutputLength: size + 1 });
  } catch {
    throw refusedZip('a file is not what the directory says');
  }
}
