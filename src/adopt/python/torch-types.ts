import type { Dtype } from '../../model/problem/tensor.ts';

export const TORCH_TYPES: Readonly<Record<Dtype, string>> = {
  f64: 'float64',
  f32: 'float32',
  f16: 'float16',
  bf16: 'bfloat16',
  i64: 'int64',
  i32: 'int32',
  i16: 'int16',
  i8: 'int8',
  u8: 'uint8',
  u16: 'uint16',
  u32: 'uint32',
  u64: 'uint64',
  bool: 'bool',
  f8e4m3: 'float8_e4m3fn',
  f8e5m2: 'float8_e5m2',
  c64: 'complex64',
  c128: 'complex128',
  f4e2m1: 'float4_e2m1fn_x2',
};

/** The name in Python of an element type. */
export function torchType(dtype: Dtype): string {
  return `torch.${TORCH_TYPES[dtype]}`;
}
