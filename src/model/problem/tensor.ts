import { z } from 'zod';

interface FloatingType {
  /** Half a one where a byte holds two elements. */
  readonly bytes: number;
  /** Bits of the significand after the leading one (IEEE 754; bf16 is the upper half of f32). */
  readonly fraction_bits: number;
  /** The largest finite number. */
  readonly largest: number;
}

interface IntegerType {
  readonly bytes: number;
  /** What it holds, as far as JSON numbers reach. */
  readonly range: readonly [low: number, high: number];
}

/** Two floating-point numbers, the real and the imaginary part. */
interface ComplexType {
  readonly bytes: number;
  readonly part: 'f32' | 'f64';
}

/** Element types that cross the kernel interface (runner/include/pawl_kernel.h), and all that is known of them. */
export const DTYPES = {
  f64: { bytes: 8, fraction_bits: 52, largest: Number.MAX_VALUE },
  f32: { bytes: 4, fraction_bits: 23, largest: (2 - 2 ** -23) * 2 ** 127 },
  f16: { bytes: 2, fraction_bits: 10, largest: 65_504 },
  bf16: { bytes: 2, fraction_bits: 7, largest: (2 - 2 ** -7) * 2 ** 127 },
  i64: { bytes: 8, range: [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER] },
  i32: { bytes: 4, range: [-(2 ** 31), 2 ** 31 - 1] },
  i16: { bytes: 2, range: [-(2 ** 15), 2 ** 15 - 1] },
  i8: { bytes: 1, range: [-128, 127] },
  u8: { bytes: 1, range: [0, 255] },
  u16: { bytes: 2, range: [0, 2 ** 16 - 1] },
  u32: { bytes: 4, range: [0, 2 ** 32 - 1] },
  u64: { bytes: 8, range: [0, Number.MAX_SAFE_INTEGER] },
  bool: { bytes: 1, range: [0, 1] },
  f8e4m3: { bytes: 1, fraction_bits: 3, largest: 448 },
  f8e5m2: { bytes: 1, fraction_bits: 2, largest: 57_344 },
  c64: { bytes: 8, part: 'f32' },
  c128: { bytes: 16, part: 'f64' },
  f4e2m1: { bytes: 0.5, fraction_bits: 1, largest: 6 },
} as const satisfies Record<string, FloatingType | IntegerType | ComplexType>;
export type Dtype = keyof typeof DTYPES;
export const dtypeSchema = z.enum(Object.keys(DTYPES) as [Dtype]);

export type FloatingDtype = {
  [Name in Dtype]: 'largest' extends keyof (typeof DTYPES)[Name] ? Name : never;
}[Dtype];
/** Of which kernels may replace one by another. */
export const FLOATING_DTYPES = dtypeSchema.options.filter(
  (dtype): dtype is Exclude<FloatingDtype, 'f4e2m1'> => isReplaceable(dtype),
);

/** One that is packed is laid out in another way, and means nothing without its scales. */
export function isReplaceable(dtype: Dtype): boolean {
  return isFloating(dtype) && !isPacked(dtype);
}

/** Of which a byte holds two: the last axis of a tensor is even. */
export function isPacked(dtype: Dtype): boolean {
  return DTYPES[dtype].bytes < 1;
}

/** Real numbers. */
export function isFloating(dtype: Dtype): dtype is FloatingDtype {
  return 'largest' in DTYPES[dtype];
}

/** The type of the numbers that an element consists of: its own, unless it is complex. */
export function numberType(dtype: Dtype): Exclude<Dtype, 'c64' | 'c128'> {
  if (dtype === 'c64' || dtype === 'c128') return DTYPES[dtype].part;
  return dtype;
}

/** What an integer type holds; undefined of a floating or complex one. */
export function integerRange(dtype: Dtype): readonly [low: number, high: number] | undefined {
  const facts: FloatingType | IntegerType | ComplexType = DTYPES[dtype];
  return 'range' in facts ? facts.range : undefined;
}

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
  /** Contents that lie in files, row-major and little-endian. */
  z.strictObject({
    kind: z.literal('recorded'),
    /** As the files have it; it is rounded to the tensor's own where that is another one. */
    dtype: dtypeSchema,
    recordings: z
      .array(
        z.strictObject({
          path: z.string(),
          /** Where the tensor begins. */
          offset: z.int().nonnegative(),
          /** Of the tensor's bytes in the file. */
          sha256: z.string().regex(/^[0-9a-f]{64}$/),
        }),
      )
      .min(1),
    /** Whether a few elements take the values of others from call to call. */
    vary: z.boolean(),
  }),
]);
export type Fill = z.infer<typeof fillSchema>;
export type RecordedFill = Extract<Fill, { kind: 'recorded' }>;

/**
 * By tensor, what its recordings hash to: contents that are edited are another case. Undefined where nothing is
 * recorded.
 */
export function recordedContents(tensors: readonly TensorSpec[]): Record<string, string> | undefined {
  const entries = tensors.flatMap(({ name, fill }) =>
    fill.kind === 'recorded'
      ? [[name, fill.recordings.map(({ sha256 }) => sha256).join(' ')] satisfies [string, string]]
      : [],
  );
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** A tensor with everything known: what the runner allocates. */
export const tensorSpecSchema = z.strictObject({
  name: z.string(),
  role: tensorRoleSchema,
  dtype: dtypeSchema,
  shape: z.array(z.int().positive()),
  fill: fillSchema,
  /** Of an input that is a view: elements of its storage from one element to the next along each axis. */
  strides: z.array(z.int().nonnegative()).optional(),
  /** Of a view: where its first element lies in its storage, in elements; absent: at its beginning. */
  offset: z.int().nonnegative().optional(),
  /** The output of one integer that says how many rows, along the first axis, count; absent: all. */
  counted_by: z.string().optional(),
  /** Of an output whose elements are draws from 0 to `outcomes` - 1: the oracle states their probabilities. */
  distribution: z
    .strictObject({
      outcomes: z.int().positive(),
      /** How much probability may lie elsewhere than stated. */
      slack: z.number().min(0).lt(1),
      /** The input that every call takes new values of; absent: the kernel draws by itself. */
      seed: z.string().optional(),
    })
    .optional(),
});
export type TensorSpec = z.infer<typeof tensorSpecSchema>;

type Laid = Pick<TensorSpec, 'dtype' | 'shape'> & Partial<Pick<TensorSpec, 'strides' | 'offset'>>;

/** What a call that uses every element touches; elements of a view that surely share their place count once. */
export function tensorBytes(tensor: Laid): number {
  return separateElements(tensor) * DTYPES[tensor.dtype].bytes;
}

/** The memory that a tensor lies in: with what a view leaves out. */
export function storageBytes(tensor: Laid): number {
  const { strides, offset = 0, shape, dtype } = tensor;
  if (strides === undefined) return tensorBytes(tensor);
  const last = strides.reduce((sum, stride, axis) => sum + stride * (shape[axis]! - 1), offset);
  return (last + 1) * DTYPES[dtype].bytes;
}

/** Whether two elements of a tensor may lie at one place: false only where that is certain. */
export function mayOverlap(tensor: Pick<Laid, 'shape' | 'strides'>): boolean {
  return separateElements(tensor) < elementsOf(tensor.shape);
}

/**
 * So many elements at least lie at places of their own: those along axes that step over everything that shorter ones
 * reach. Of axes with the same stride the longer one counts.
 */
function separateElements({ shape, strides }: Pick<Laid, 'shape' | 'strides'>): number {
  if (strides === undefined) return elementsOf(shape);
  const axes = shape
    .map((extent, axis) => ({ extent, stride: strides[axis]! }))
    .filter(({ extent }) => extent > 1)
    .toSorted((one, other) => one.stride - other.stride || other.extent - one.extent);
  let reach = 0;
  let count = 1;
  for (const { extent, stride } of axes) {
    if (stride <= reach) continue;
    reach += stride * (extent - 1);
    count *= extent;
  }
  return count;
}

function elementsOf(shape: readonly number[]): number {
  return shape.reduce((product, extent) => product * extent, 1);
}
