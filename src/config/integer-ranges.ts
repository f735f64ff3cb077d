import type { Dtype } from '../model/tensor.ts';

/** What fits each integer type; floating types are not here. */
export const INTEGER_RANGES: Partial<Record<Dtype, readonly [low: number, high: number]>> = {
  i64: [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  i32: [-(2 ** 31), 2 ** 31 - 1],
  i16: [-(2 ** 15), 2 ** 15 - 1],
  i8: [-128, 127],
  u8: [0, 255],
};
