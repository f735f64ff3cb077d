import type { Dtype } from '../../model/tensor.ts';
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
]);

/** As `numpy.save` writes it: three keys in any order, each once. */
const DICT =
  /^\{\s*(?:'(?:descr|fortran_order|shape)'\s*:\s*(?:'[^'\\]*'|True|False|\((?:\s*\d+\s*,?)*\s*\))\s*,?\s*){3}\}\s*$/;

/**
 * @param beginning of the file: `NPY_BEGINNING_BYTES`, or all of it where it is shorter
 * @throws {RecordingFault}
 */
export function parseNpyHeader(beginning: Buffer, fileBytes: number): TensorPlace {
  if (!beginning.subarray(0, MAGIC.length).equals(MAGIC)) throw new RecordingFault('it is not a .npy file');
  const { lengthBytes } = VERSIONS.get(beginning[MAGIC.length] ?? 0) ?? {};
  if (lengthBytes === undefined) throw new RecordingFault('it is of a version of .npy that is not known');
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
  const part = (key: string): string | undefined =>
    new RegExp(`'${key}'\\s*:\\s*('[^']*'|True|False|\\([^)]*\\))`).exec(text)?.[1];
  const [descr, fortran, extents] = [part('descr'), part('fortran_order'), part('shape')];
  if (/'descr'\s*:\s*\[/.test(text)) throw new RecordingFault('its elements are structures');
  if (!DICT.test(text) || descr === undefined || fortran === undefined || extents === undefined) {
    throw new RecordingFault('its header is not one of .npy');
  }
  if (fortran !== 'False') {
    throw new RecordingFault('its elements lie in the order of Fortran (save numpy.ascontiguousarray of it)');
  }
  const dtype = dtypeOf(descr.slice(1, -1));
  const shape = (extents.match(/\d+/g) ?? []).map(Number);
  return { dtype, shape, offset, bytes: bytesOf(dtype, shape) };
}

function dtypeOf(descr: string): Dtype {
  const dtype = DESCRIPTORS.get(descr);
  if (dtype !== undefined) return dtype;
  if (descr.startsWith('>') && DESCRIPTORS.has(`<${descr.slice(1)}`)) {
    throw new RecordingFault(`its elements are big-endian (${descr})`);
  }
  throw new RecordingFault(`its elements are ${JSON.stringify(descr.slice(0, 20))}, which no tensor can be`);
}
