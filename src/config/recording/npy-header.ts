import type { Dtype } from '../../model/problem/tensor.ts';
import { RecordingFault } from './recording-fault.ts';
import { bytesOf, type TensorPlace } from './tensor-place.ts';

/**
 * The header of a .npy file (numpy.lib.format): the magic string, a version, the length of what follows, and a Python
 * dict that ends with a newline.
 */
const MAGIC = Buffer.from('\u0093NUMPY', 'latin1');
const VERSIONS = new Map([
  [1, { lengthBytes: 2 }],
  [2, { lengthBytes: 4 }],
  [3, { lengthBytes: 4 }],
]);

/** NumPy itself reads no longer ones from files that it does not trust (`max_header_size`). */
const MOST_NPY_HEADER_BYTES = 10_000;
/** What has to be read of a file before its header is known to be whole. */
export const NPY_BEGINNING_BYTES = MAGIC.length + 2 + 4 + MOST_NPY_HEADER_BYTES;

/** Byte order, kind and bytes of an element. NumPy has no bf16 and no 8-bit floats. */
const DESCRIPTORS: ReadonlyMap<string, Dtype> = new Map([
  ['<f8', 'f64'],
  ['<f4', 'f32'],
  ['<f2', 'f16'],
  ['<i8', 'i64'],
  ['<i4', 'i32'],
  ['<i2', 'i16'],
  ['|i1', 'i8'],
  ['|u1', 'u8'],
  ['<u2', 'u16'],
  ['<u4', 'u32'],
  ['<u8', 'u64'],
  ['|b1', 'bool'],
  ['<c8', 'c64'],
  ['<c16', 'c128'],
]);

/**
 * @param beginning of the file: `NPY_BEGINNING_BYTES`, or all of it where it is shorter
 * @throws {RecordingFault}
 */
export function parseNpyHeader(beginning: Buffer, fileBytes: number): TensorPlace {
  if (!beginning.subarray(0, MAGIC.length).equals(MAGIC)) throw new RecordingFault('it is not a .npy file');
  const { lengthBytes } = VERSIONS.get(beginning[MAGIC.length] ?? 0) ?? {};
  if (lengthBytes === undefined) throw new RecordingFault('its .npy version is unknown');
  const from = MAGIC.length + 2 + lengthBytes;
  if (beginning.length < from) throw new RecordingFault('it is cut short: its header is not whole');
  const length = beginning.readUIntLE(MAGIC.length + 2, lengthBytes);
  if (length > MOST_NPY_HEADER_BYTES) {
    throw new RecordingFault(`its header claims ${length} bytes, more than ${MOST_NPY_HEADER_BYTES}`);
  }
  if (beginning.length < from + length) throw new RecordingFault('it is cut short: its header is not whole');
  const place = placeOf(beginning.toString('latin1', from, from + length), from + length);
  const missing = place.offset + place.bytes - fileBytes;
  if (missing > 0) {
    throw new RecordingFault(
      `it is cut short: ${missing} of ${place.bytes} bytes of its contents are missing`,
    );
  }
  if (missing < 0) throw new RecordingFault(`${-missing} bytes follow its contents`);
  return place;
}

function placeOf(text: string, offset: number): TensorPlace {
  const dict = parseDict(text);
  const [descr, fortran, shape] = ['descr', 'fortran_order', 'shape'].map((key) => dict?.get(key));
  if (
    typeof descr !== 'string' ||
    typeof fortran !== 'boolean' ||
    !Array.isArray(shape) ||
    dict?.size !== 3
  ) {
    throw new RecordingFault('its header is not one of .npy for an array of numbers');
  }
  if (fortran) {
    throw new RecordingFault('its elements lie in the order of Fortran (save numpy.ascontiguousarray of it)');
  }
  const dtype = dtypeOf(descr);
  return { dtype, shape, offset, bytes: bytesOf(dtype, shape) };
}

/** One at a time, and each in one way: a hostile header takes no longer than an honest one. */
const TOKEN = /\s*(?:'([^'\\]*)'|(True|False)|(\d+)|([{}():,]))/y;

type Token = { readonly value: string | boolean | number } | { readonly mark: string };

/** What `numpy.save` writes: texts, True or False, and tuples of whole numbers, by name. Undefined for anything else. */
function parseDict(text: string): Map<string, string | boolean | number[]> | undefined {
  const tokens = tokensOf(text.trimEnd());
  if (tokens === undefined) return undefined;
  let at = 0;
  const takes = (mark: string): boolean => {
    const token = tokens[at];
    if (token === undefined || !('mark' in token) || token.mark !== mark) return false;
    at += 1;
    return true;
  };
  const value = (): string | boolean | number | undefined => {
    const token = tokens[at];
    if (token === undefined || !('value' in token)) return undefined;
    at += 1;
    return token.value;
  };
  /** Behind its bracket. */
  const tuple = (): number[] | undefined => {
    const numbers: number[] = [];
    while (!takes(')')) {
      const number = value();
      if (typeof number !== 'number') return undefined;
      numbers.push(number);
      if (!takes(',') && !isMark(tokens[at], ')')) return undefined;
    }
    return numbers;
  };
  const dict = new Map<string, string | boolean | number[]>();
  if (!takes('{')) return undefined;
  while (!takes('}')) {
    const key = value();
    if (typeof key !== 'string' || dict.has(key) || !takes(':')) return undefined;
    const found = takes('(') ? tuple() : value();
    if (found === undefined || typeof found === 'number') return undefined;
    dict.set(key, found);
    if (!takes(',') && !isMark(tokens[at], '}')) return undefined;
  }
  return at === tokens.length ? dict : undefined;
}

function isMark(token: Token | undefined, mark: string): boolean {
  return token !== undefined && 'mark' in token && token.mark === mark;
}

function tokensOf(text: string): Token[] | undefined {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const [, quoted, truth, digits, mark = ''] = TOKEN.exec(text) ?? [];
    if (quoted !== undefined) tokens.push({ value: quoted });
    else if (truth !== undefined) tokens.push({ value: truth === 'True' });
    else if (digits !== undefined) tokens.push({ value: Number(digits) });
    else if (mark !== '') tokens.push({ mark });
    else return undefined;
  }
  return tokens;
}

function dtypeOf(descr: string): Dtype {
  const dtype = DESCRIPTORS.get(descr);
  if (dtype !== undefined) return dtype;
  if (descr.startsWith('>') && DESCRIPTORS.has(`<${descr.slice(1)}`)) {
    throw new RecordingFault(`its elements are big-endian (${descr})`);
  }
  throw new RecordingFault(`its elements are ${JSON.stringify(descr.slice(0, 20))}, which no tensor can be`);
}
