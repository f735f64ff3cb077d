/**
 * The records of a ZIP archive (PKWARE APPNOTE 6.3.10, sections 4.3 and 4.4), read without believing them. What tools
 * disagree about (comments, prefixes, ZIP64, several disks) is refused: an archive must mean one thing.
 */
import { PawlError } from '../../model/pawl-error.ts';

const END_SIGNATURE = 0x06054b50;
const CENTRAL_SIGNATURE = 0x02014b50;
const LOCAL_SIGNATURE = 0x04034b50;
const DESCRIPTOR_SIGNATURE = 0x08074b50;
const END_BYTES = 22;
const CENTRAL_BYTES = 46;
const LOCAL_BYTES = 30;
const DESCRIPTOR_BYTES = 16;

/** Bits 1 and 2 say how hard it was compressed; 3: sizes follow the data; 11: names are UTF-8. Others change meaning. */
const ALLOWED_FLAGS = 0b1000_0000_1110;
const ENCRYPTED = 0b1;
const SIZES_FOLLOW = 0b1000;
const UTF8 = 0b1000_0000_0000;

/** ZIP64 sizes, a second name, AES: fields that make a record mean something else. */
const REFUSED_EXTRAS = new Set([0x0001, 0x7075, 0x9901]);

const FILE_TYPE = 0o170000;
const FOLDER = 0o040000;
const PLAIN = 0o100000;

export interface ZipEntry {
  readonly name: string;
  readonly isFolder: boolean;
  /** 0: stored, 8: deflated. */
  readonly method: 0 | 8;
  readonly crc: number;
  readonly packedBytes: number;
  readonly bytes: number;
  readonly flags: number;
  readonly nameBytes: Uint8Array;
  /** Of the local record. */
  readonly offset: number;
}

export interface ZipDirectory {
  /** Where entries end and the directory begins. */
  readonly offset: number;
  readonly entries: readonly ZipEntry[];
}

export function refusedZip(why: string): PawlError {
  return new PawlError('bad-data', `the artifact is not an archive that Pawl reads: ${why}`);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** The directory at the end of the archive, each record within it. */
export function readZipDirectory(bytes: Uint8Array, maxEntries: number): ZipDirectory {
  const view = viewOf(bytes);
  const end = bytes.length - END_BYTES;
  if (end < 0 || view.getUint32(end, true) !== END_SIGNATURE) {
    throw refusedZip('its last bytes are not the end of an archive');
  }
  const count = view.getUint16(end + 10, true);
  const size = view.getUint32(end + 12, true);
  const offset = view.getUint32(end + 16, true);
  if (count === 0xffff || size === 0xffffffff || offset === 0xffffffff) throw refusedZip('it is ZIP64');
  if (view.getUint16(end + 4, true) !== 0 || view.getUint16(end + 6, true) !== 0) {
    throw refusedZip('it has several parts');
  }
  if (view.getUint16(end + 8, true) !== count) throw refusedZip('its counts of entries differ');
  if (view.getUint16(end + 20, true) !== 0) throw refusedZip('it has a comment');
  if (count > maxEntries) throw refusedZip(`it has more than ${maxEntries} entries`);
  if (offset + size !== end) throw refusedZip('its directory is not where its end says');

  const entries: ZipEntry[] = [];
  let at = offset;
  for (let index = 0; index < count; index += 1) {
    const { entry, next } = readCentral(bytes, view, at, end);
    entries.push(entry);
    at = next;
  }
  if (at !== end) throw refusedZip('its directory has more than it counts');
  return { offset, entries };
}

function readCentral(
  bytes: Uint8Array,
  view: DataView,
  at: number,
  end: number,
): { readonly entry: ZipEntry; readonly next: number } {
  if (at + CENTRAL_BYTES > end || view.getUint32(at, true) !== CENTRAL_SIGNATURE) {
    throw refusedZip('its directory is broken');
  }
  const flags = view.getUint16(at + 8, true);
  const method = view.getUint16(at + 10, true);
  const nameLength = view.getUint16(at + 28, true);
  const extraLength = view.getUint16(at + 30, true);
  const next = at + CENTRAL_BYTES + nameLength + extraLength;
  if (next > end) throw refusedZip('its directory is broken');
  if ((flags & ENCRYPTED) !== 0) throw refusedZip('it is encrypted');
  if ((flags & ~ALLOWED_FLAGS) !== 0) throw refusedZip('it uses features that no report needs');
  if (method !== 0 && method !== 8) throw refusedZip('it is compressed in a way that no report is');
  if (view.getUint16(at + 32, true) !== 0) throw refusedZip('an entry has a comment');
  if (view.getUint16(at + 34, true) !== 0) throw refusedZip('it has several parts');
  checkExtras(view, at + CENTRAL_BYTES + nameLength, next);
  const nameBytes = bytes.subarray(at + CENTRAL_BYTES, at + CENTRAL_BYTES + nameLength);
  const name = decodeName(nameBytes, flags);
  const type = (view.getUint32(at + 38, true) >>> 16) & FILE_TYPE;
  const isFolder = name.endsWith('/');
  if (type !== 0 && type !== (isFolder ? FOLDER : PLAIN)) {
    throw refusedZip('an entry is a link or a special file');
  }
  const entry = {
    name,
    isFolder,
    method,
    crc: view.getUint32(at + 16, true),
    packedBytes: view.getUint32(at + 20, true),
    bytes: view.getUint32(at + 24, true),
    flags,
    nameBytes,
    offset: view.getUint32(at + 42, true),
  } as const;
  if (isFolder && entry.bytes !== 0) throw refusedZip('a folder has contents of its own');
  if (method === 0 && entry.bytes !== entry.packedBytes) throw refusedZip('its sizes contradict each other');
  return { entry, next };
}

function decodeName(bytes: Uint8Array, flags: number): string {
  if ((flags & UTF8) === 0 && bytes.some((byte) => byte > 0x7f)) {
    throw refusedZip('a name is in no encoding that it names');
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw refusedZip('a name is not UTF-8');
  }
}

function checkExtras(view: DataView, from: number, to: number): void {
  let at = from;
  while (at < to) {
    if (at + 4 > to) throw refusedZip('an extra field is broken');
    if (REFUSED_EXTRAS.has(view.getUint16(at, true))) {
      throw refusedZip('an extra field gives an entry another size, name or lock');
    }
    at += 4 + view.getUint16(at + 2, true);
  }
  if (at !== to) throw refusedZip('an extra field is broken');
}

/** Where an entry's data lies and where its record ends, after the local record was held against the directory. */
export function locateZipEntry(
  bytes: Uint8Array,
  entry: ZipEntry,
  limit: number,
): { readonly start: number; readonly end: number } {
  const view = viewOf(bytes);
  const at = entry.offset;
  if (at + LOCAL_BYTES > limit || view.getUint32(at, true) !== LOCAL_SIGNATURE) {
    throw refusedZip('an entry is not where the directory says');
  }
  const differs = (): PawlError => refusedZip('an entry says other things about itself than the directory');
  const nameLength = view.getUint16(at + 26, true);
  const start = at + LOCAL_BYTES + nameLength + view.getUint16(at + 28, true);
  const packedEnd = start + entry.packedBytes;
  const sizesFollow = (entry.flags & SIZES_FOLLOW) !== 0;
  const end = sizesFollow ? packedEnd + DESCRIPTOR_BYTES : packedEnd;
  if (end > limit) throw refusedZip('an entry is cut off');
  const localName = bytes.subarray(at + LOCAL_BYTES, at + LOCAL_BYTES + nameLength);
  if (Buffer.compare(localName, entry.nameBytes) !== 0) throw differs();
  if (view.getUint16(at + 6, true) !== entry.flags || view.getUint16(at + 8, true) !== entry.method) {
    throw differs();
  }
  checkExtras(view, at + LOCAL_BYTES + nameLength, start);
  const saysTheSame = (from: number): boolean =>
    view.getUint32(from, true) === entry.crc &&
    view.getUint32(from + 4, true) === entry.packedBytes &&
    view.getUint32(from + 8, true) === entry.bytes;
  const isBlank = [14, 18, 22].every((field) => view.getUint32(at + field, true) === 0);
  if (!saysTheSame(at + 14) && !(sizesFollow && isBlank)) throw differs();
  if (
    sizesFollow &&
    !(view.getUint32(packedEnd, true) === DESCRIPTOR_SIGNATURE && saysTheSame(packedEnd + 4))
  ) {
    throw differs();
  }
  return { start, end };
}
