/**
 * What a shared library does when it is loaded, as a hash: all that is loaded of it, and of the GPU code in it all but
 * the tables that say which line an instruction is from. Two libraries of one hash run the same machine code with the
 * same constants, launch configurations and names. What is not understood counts as it stands, so that libraries differ
 * in doubt.
 */
import { createHash, type Hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import { ALLOCATED, identity, isElf, sectionsOf, type Section } from '../os/elf.ts';

/** A hash of the whole file, debug information included. */
const BUILD_ID = '.note.gnu.build-id';
const FAT_BINARIES = '.nv_fatbin';
/** Line tables and names of source files: never loaded onto a device. */
const ABOUT_LINES = /^\.(?:rela?\.)?(?:debug_|nv_debug_)/u;

export async function codeDigestOf(path: string): Promise<string | undefined> {
  const bytes = await readFile(path).catch(() => undefined);
  return bytes === undefined ? undefined : codeDigest(bytes);
}

/** Nothing where the file is not a library that can be read. */
export function codeDigest(bytes: Buffer): string | undefined {
  if (!isElf(bytes)) return undefined;
  const hash = createHash('sha256');
  try {
    addPart(hash, identity(bytes));
    for (const section of sectionsOf(bytes)) {
      if ((section.flags & ALLOCATED) === 0n || section.name === BUILD_ID) continue;
      if (section.name === FAT_BINARIES) addFatBinaries(hash, section.content);
      else addSection(hash, section, section.address);
    }
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
  return hash.digest('hex');
}

/** With its length, so that no two sequences of parts read the same. */
function addPart(hash: Hash, part: Buffer | string): void {
  const bytes = typeof part === 'string' ? Buffer.from(part) : part;
  hash.update(`${bytes.length}:`).update(bytes);
}

function addSection(hash: Hash, { name, type, flags, align, content, size }: Section, address: bigint): void {
  addPart(hash, `${name} ${type} ${flags} ${address} ${align} ${size}`);
  addPart(hash, content);
}

/**
 * Containers of images, one after the other, each aligned: magic, version, bytes of this header, bytes of the images.
 * An image has its kind, version, bytes of its header, bytes of its payload, and what it was made for. NVIDIA documents
 * the container (`fatbinary_section.h`); images were read off the output of nvcc 12 and 13, and `bench/same-code.ts`
 * shows on planted changes that none is overlooked.
 */
const CONTAINER = 0xba_55_ed_50;
const CONTAINER_HEADER_BYTES = 16;
const IMAGE_HEADER_BYTES = 64;

function addFatBinaries(hash: Hash, content: Buffer): void {
  let at = 0;
  while (at < content.length) {
    if (content.length - at < CONTAINER_HEADER_BYTES || content.readUInt32LE(at) !== CONTAINER) {
      // Zeros between containers.
      if (content[at] === 0) {
        at += 1;
        continue;
      }
      throw new RangeError('not a container');
    }
    const header = content.readUInt16LE(at + 6);
    const end = at + header + Number(content.readBigUInt64LE(at + 8));
    if (header < CONTAINER_HEADER_BYTES || end > content.length)
      throw new RangeError('a container is truncated');
    addPart(hash, content.subarray(at, at + 8));
    at += header;
    while (at < end) at = addImage(hash, content, at, end);
  }
}

/** Where the next image begins. */
function addImage(hash: Hash, content: Buffer, at: number, end: number): number {
  const header = content.readUInt32LE(at + 4);
  const next = at + header + Number(content.readBigUInt64LE(at + 8));
  if (header < IMAGE_HEADER_BYTES || next > end) throw new RangeError('an image is truncated');
  const payload = content.subarray(at + header, next);
  if (isElf(payload)) {
    // Kind, the device it is for, and how it is stored; sizes and the name of the source file are left out.
    addPart(hash, content.subarray(at, at + 4));
    addPart(hash, content.subarray(at + 28, at + 32));
    addPart(hash, content.subarray(at + 40, at + 48));
    addCubin(hash, payload);
  } else addPart(hash, content.subarray(at, next));
  return next;
}

function addCubin(hash: Hash, cubin: Buffer): void {
  addPart(hash, identity(cubin));
  for (const section of sectionsOf(cubin)) {
    const isLoaded = (section.flags & ALLOCATED) !== 0n;
    if (isLoaded || !ABOUT_LINES.test(section.name)) addSection(hash, section, 0n);
  }
}
