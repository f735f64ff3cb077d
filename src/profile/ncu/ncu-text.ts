/** What a file's bytes are: text in one of the encodings that exports come in, one of ncu's own reports, or neither. */
export type NcuContent =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'report' }
  | { readonly kind: 'compressed' }
  | { readonly kind: 'binary' };

/** The first bytes of `.ncu-rep` files. */
const REPORT_MAGIC = [0x4e, 0x56, 0x52, 0x00];
const GZIP_MAGIC = [0x1f, 0x8b];
const ZSTD_MAGIC = [0x28, 0xb5, 0x2f, 0xfd];

/** Enough to tell text from bytes. */
const HEAD_BYTES = 4096;
/** A flipped bit may leave a zero in a text; a binary file is full of them. */
const BINARY_SHARE = 0.02;

export function decodeNcuContent(bytes: Buffer): NcuContent {
  if (startsWith(bytes, REPORT_MAGIC)) return { kind: 'report' };
  if (startsWith(bytes, GZIP_MAGIC) || startsWith(bytes, ZSTD_MAGIC)) return { kind: 'compressed' };
  // PowerShell writes what it redirects as UTF-16.
  const utf16 = utf16Kind(bytes);
  if (utf16 !== undefined) return { kind: 'text', text: new TextDecoder(utf16).decode(bytes) };
  const head = bytes.subarray(0, HEAD_BYTES);
  const zeros = head.reduce((count, byte) => count + (byte === 0 ? 1 : 0), 0);
  if (zeros > head.length * BINARY_SHARE) return { kind: 'binary' };
  return { kind: 'text', text: bytes.toString('utf8') };
}

function utf16Kind(bytes: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  if (startsWith(bytes, [0xff, 0xfe])) return 'utf-16le';
  if (startsWith(bytes, [0xfe, 0xff])) return 'utf-16be';
  // Without a mark: English text has a zero in every second byte, and in no other.
  const head = bytes.subarray(0, 64);
  if (head.length < 8) return undefined;
  const isZero = (at: number): boolean => head[at] === 0;
  const pairs = Array.from({ length: Math.floor(head.length / 2) }, (_, index) => index * 2);
  if (pairs.every((at) => !isZero(at) && isZero(at + 1))) return 'utf-16le';
  if (pairs.every((at) => isZero(at) && !isZero(at + 1))) return 'utf-16be';
  return undefined;
}

function startsWith(bytes: Buffer, magic: readonly number[]): boolean {
  return bytes.length >= magic.length && magic.every((byte, at) => bytes[at] === byte);
}
