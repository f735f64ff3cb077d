import { z } from 'zod';

/** Element types that cross the kernel interface, with their sizes (runner/include/pawl_kernel.h). */
export const DTYPE_BYTES = {
  f64: 8,
  f32: 4,
  f16: 2,
  bf16: 2,
  i64: 8,
  i32: 4,
  i16: 2,
  i8: 1,
  u8: 1,
} as const;

export const dtypeSchema = z.enum(Object.keys(DTYPE_BYTES) as [keyof typeof DTYPE_BYTES]);
export type Dtype = keyof typeof DTYPE_BYTES;

export const tensorRoleSchema = z.enum(['input', 'output', 'inout']);

/**
 * How an input is filled. Never zeros by default: a matrix product ran 13 % faster on zeros than on random
 * data on an H200 (docs/measuring.md).
 */
const fillSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('normal'), mean: z.number().default(0), std: z.number().default(1) }),
  z.strictObject({ kind: z.literal('uniform'), low: z.number().default(-1), high: z.number().default(1) }),
  z.strictObject({ kind: z.literal('integers'), low: z.int(), high: z.int() }),
  z.strictObject({ kind: z.literal('constant'), value: z.number() }),
  /** Subnormal numbers of the tensor's type, of either sign. */
  z.strictObject({ kind: z.literal('denormal') }),
  /** One normal number for each row, which is a run along the last axis. */
  z.strictObject({ kind: z.literal('constant-rows'), std: z.number().default(1) }),
  /** `low` everywhere but for one element of each row, which is `high`. */
  z.strictObject({ kind: z.literal('spikes'), low: z.number().default(0), high: z.number().default(1) }),
  /** Normal numbers, a third of the rows at a thousandth of the scale, a third at one, a third at `scale`. */
  z.strictObject({ kind: z.literal('mixed'), scale: z.number().default(10) }),
  /** Normal numbers, and a `share` of elements that are one of `values`. */
  z.strictObject({
    kind: z.literal('nonfinite'),
    values: z.array(z.enum(['nan', 'inf', '-inf'])).min(1),
    share: z.number().min(0).max(1).default(0.001),
  }),
]);
export type Fill = z.infer<typeof fillSchema>;

/** A tensor with everything known: what the runner allocates. */
export const tensorSpecSchema = z.strictObject({
  name: z.string(),
  role: tensorRoleSchema,
  dtype: dtypeSchema,
  shape: z.array(z.int().positive()),
  fill: fillSchema,
});
export type TensorSpec = z.infer<typeof tensorSpecSchema>;

export function tensorBytes(tensor: Pick<TensorSpec, 'dtype' | 'shape'>): number {
  return tensor.shape.reduce((product, extent) => product * extent, DTYPE_BYTES[tensor.dtype]);
}
