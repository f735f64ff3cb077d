import { DTYPES } from '../../model/problem/tensor.ts';
import type { Dtype } from '../../model/problem/tensor.ts';
import { RecordingFault } from './recording-fault.ts';

/** Where a tensor lies in a file, row-major and little-endian, and what it is. */
export interface TensorPlace {
  readonly dtype: Dtype;
  readonly shape: readonly number[];
  /** From the beginning of the file. */
  readonly offset: number;
  readonly bytes: number;
}

/** Of a declared type and shape; refuses invalid extents, and more bytes than a number counts exactly. */
export function bytesOf(dtype: Dtype, shape: readonly number[]): number {
  if (!shape.every((extent) => Number.isSafeInteger(extent) && extent >= 0)) {
    throw new RecordingFault(`its shape is [${shape.join(', ')}]`);
  }
  const bytes = shape.reduce((product, extent) => product * extent, DTYPES[dtype].bytes);
  if (!Number.isSafeInteger(bytes)) throw new RecordingFault(`its shape is [${shape.join(', ')}]`);
  return bytes;
}
