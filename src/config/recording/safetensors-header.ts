import { z } from 'zod';

import { DTYPES, type Dtype } from '../../model/problem/tensor.ts';
import { RecordingFault } from './recording-fault.ts';
import { bytesOf, type TensorPlace } from './tensor-place.ts';

/**
 * The header of a .safetensors file (github.com/huggingface/safetensors, "Format"): its length in 8 bytes, then a JSON
 * object of tensors, by name, with offsets that begin after it.
 */
export const SAFETENSORS_LENGTH_BYTES = 8;
/** As the library itself limits it. */
const MOST_HEADER_BYTES = 100_000_000;
const MOST_NAMED = 8;

const SAFETENSORS_DTYPES: ReadonlyMap<string, Dtype> = new Map([
  ['F64', 'f64'],
  ['F32', 'f32'],
  ['F16', 'f16'],
  ['BF16', 'bf16'],
  ['F8_E4M3', 'f8e4m3'],
  ['F8_E5M2', 'f8e5m2'],
  ['I64', 'i64'],
  ['I32', 'i32'],
  ['I16', 'i16'],
  ['I8', 'i8'],
  ['U64', 'u64'],
  ['U32', 'u32'],
  ['U16', 'u16'],
  ['U8', 'u8'],
  ['BOOL', 'bool'],
  ['C64', 'c64'],
]);

const entrySchema = z.object({
  dtype: z.string(),
  shape: z.array(z.int().nonnegative()),
  data_offsets: z.tuple([z.int().nonnegative(), z.int().nonnegative()]),
});

/** How long the header is, which is read next. */
export function safetensorsHeaderBytes(beginning: Buffer, fileBytes: number): number {
  if (beginning.length < SAFETENSORS_LENGTH_BYTES) {
    throw new RecordingFault('it is cut short: its header is not whole');
  }
  const length = beginning.readBigUInt64LE(0);
  if (length > MOST_HEADER_BYTES) {
    throw new RecordingFault(`its header claims ${length} bytes, more than ${MOST_HEADER_BYTES}`);
  }
  if (Number(length) > fileBytes - SAFETENSORS_LENGTH_BYTES) {
    throw new RecordingFault(`it is cut short: its header of ${length} bytes is not whole`);
  }
  return Number(length);
}

/** @throws {RecordingFault} */
export function parseSafetensorsHeader(header: Buffer, fileBytes: number, name: string): TensorPlace {
  const tensors = jsonObject(header);
  const names = Object.keys(tensors).filter((one) => one !== '__metadata__');
  if (!names.includes(name)) {
    const shown = names.slice(0, MOST_NAMED).map((one) => JSON.stringify(one.slice(0, 60)));
    const there = `${shown.join(', ') || 'none'}${names.length > MOST_NAMED ? ', …' : ''}`;
    throw new RecordingFault(`it has no tensor ${JSON.stringify(name)}; it has ${there}`);
  }
  const entry = entrySchema.safeParse(tensors[name]);
  if (!entry.success) throw new RecordingFault(`its header does not say what ${JSON.stringify(name)} is`);
  const { dtype: type, shape, data_offsets } = entry.data;
  const dtype = SAFETENSORS_DTYPES.get(type);
  if (dtype === undefined) {
    throw new RecordingFault(`its elements are ${JSON.stringify(type.slice(0, 20))}, which no tensor can be`);
  }
  const [from, to] = data_offsets;
  const bytes = bytesOf(dtype, shape);
  if (to - from !== bytes) {
    const wanted = `[${shape.join(', ')}] of ${DTYPES[dtype].bytes} bytes each`;
    throw new RecordingFault(`its header gives ${to - from} bytes to ${wanted}`);
  }
  const offset = SAFETENSORS_LENGTH_BYTES + header.length + from;
  if (offset + bytes > fileBytes) {
    const missing = offset + bytes - fileBytes;
    throw new RecordingFault(`it is cut short: ${Math.min(missing, bytes)} of ${bytes} bytes are missing`);
  }
  return { dtype, shape, offset, bytes };
}

function jsonObject(header: Buffer): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(header));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // Told below.
  }
  throw new RecordingFault('its header is not one of .safetensors');
}
