import { PawlError } from '../model/pawl-error.ts';

interface Refusal {
  readonly magic: readonly number[];
  readonly what: string;
  readonly instead: string;
}

const AS_JSON = 'Write the numbers as JSON or CSV.';

/** Files that are never opened. A pickle is a program: reading one runs it. */
const REFUSED: readonly Refusal[] = [
  {
    magic: [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59],
    what: 'a NumPy array, which may hold a pickle',
    instead: 'Write its numbers as JSON: json.dump(array.tolist(), file).',
  },
  {
    magic: [0x50, 0x4b, 0x03, 0x04],
    what: 'a ZIP archive, such as torch.save and numpy.savez write, with pickles inside',
    instead: 'Write the numbers as JSON: json.dump(times.tolist(), file).',
  },
  { magic: [0x1f, 0x8b], what: 'compressed (gzip)', instead: 'Unpack it first.' },
  { magic: [0x28, 0xb5, 0x2f, 0xfd], what: 'compressed (zstd)', instead: 'Unpack it first.' },
  { magic: [0x42, 0x5a, 0x68], what: 'compressed (bzip2)', instead: 'Unpack it first.' },
  { magic: [0xfd, 0x37, 0x7a, 0x58, 0x5a], what: 'compressed (xz)', instead: 'Unpack it first.' },
  { magic: [0x89, 0x48, 0x44, 0x46], what: 'an HDF5 file', instead: AS_JSON },
  { magic: [0x50, 0x41, 0x52, 0x31], what: 'a Parquet file', instead: AS_JSON },
  { magic: [0x53, 0x51, 0x4c, 0x69, 0x74, 0x65], what: 'an SQLite database', instead: AS_JSON },
  { magic: [0x7f, 0x45, 0x4c, 0x46], what: 'a program', instead: 'Name the file that it wrote.' },
];

/** Protocols 2 to 5 begin with PROTO (0x80) and their number. */
const PICKLE_PROTO = 0x80;
const PICKLE_PROTOCOLS = [2, 3, 4, 5];

/** A text file's text, in any of the encodings that tools and shells write. */
export function decodeText(bytes: Uint8Array, name: string): string {
  const startsWith = (magic: readonly number[]): boolean =>
    bytes.length >= magic.length && magic.every((byte, at) => bytes[at] === byte);
  if (bytes[0] === PICKLE_PROTO && PICKLE_PROTOCOLS.includes(bytes[1] ?? 0)) {
    throw new PawlError(
      'bad-data',
      `${name} is a pickle. Pawl does not read pickles because they can run code.`,
      'Write the numbers as JSON: json.dump(times_ms, file).',
    );
  }
  const refused = REFUSED.find(({ magic }) => startsWith(magic));
  if (refused !== undefined) throw new PawlError('bad-data', `${name} is ${refused.what}.`, refused.instead);
  const encoding = startsWith([0xff, 0xfe])
    ? 'utf-16le'
    : startsWith([0xfe, 0xff])
      ? 'utf-16be'
      : utf16Without(bytes);
  const text = new TextDecoder(encoding ?? 'utf-8').decode(bytes);
  if (text.includes('\0')) {
    throw new PawlError('bad-data', `${name} is not a text file.`, 'Name a JSON or CSV file of a benchmark.');
  }
  return text;
}

/** UTF-16 without its mark: every text that can be read here begins with ASCII, so every second byte is zero. */
function utf16Without(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes.length < 4) return undefined;
  const [a, b, c, d] = bytes;
  if (a !== 0 && b === 0 && c !== 0 && d === 0) return 'utf-16le';
  if (a === 0 && b !== 0 && c === 0 && d !== 0) return 'utf-16be';
  return undefined;
}
