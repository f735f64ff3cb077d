import { z } from 'zod';

import { NONFINITE, VALUE_KINDS } from '../model/problem/fuzz-case.ts';
import { formulaSchema, identifierSchema, nameSchema } from './formula-schema.ts';

/** Values of the dimensions, which are integers, and of scalars, by name. */
export const caseSchema = z
  .record(identifierSchema, z.number())
  .describe('Dimensions and scalars, and their values.');
export type CaseDims = z.output<typeof caseSchema>;

const valueListSchema = z
  .array(z.number())
  .min(1)
  .refine((values) => new Set(values).size === values.length, { error: 'a value is listed twice' });

const rangeSchema = z
  .strictObject({
    min: z.int().nonnegative(),
    max: z.int().nonnegative(),
    multiple: z.int().positive().default(1).describe('Only multiples of this.'),
  })
  .superRefine(({ min, max, multiple }, context) => {
    if (min > max) {
      context.addIssue({ code: 'custom', path: ['min'], message: `${min} is greater than \`max\`, ${max}` });
    } else if (Math.floor(max / multiple) * multiple < min) {
      const message = `no multiple of ${multiple} lies between ${min} and ${max}`;
      context.addIssue({ code: 'custom', path: ['multiple'], message });
    }
  });

const fuzzDimSchema = z
  .union([z.number(), valueListSchema, rangeSchema])
  .transform((dim) => (typeof dim === 'number' ? [dim] : dim))
  .describe('{min, max, multiple}, or a list of values. Scalars take a list.');
export type FuzzDimSetting = z.output<typeof fuzzDimSchema>;

/** Far above what anybody waits for. */
const MOST_MATRIX_CASES = 10_000;

const matrixSchema = z
  .record(
    identifierSchema,
    z.union([z.number(), valueListSchema]).transform((axis) => (typeof axis === 'number' ? [axis] : axis)),
  )
  .refine((axes) => matrixSize(axes) <= MOST_MATRIX_CASES, {
    error: `more than ${MOST_MATRIX_CASES} combinations`,
  })
  .describe('Every combination of these values is a case.');

function matrixSize(axes: Readonly<Record<string, readonly number[]>>): number {
  return Object.values(axes).reduce((product, values) => product * values.length, 1);
}

const distinct = (items: readonly unknown[]) => new Set(items).size === items.length;

/** What `pawl fuzz` draws cases from: of a problem, and narrower of a kernel. */
export const fuzzSchema = z
  .strictObject({
    dims: z.record(identifierSchema, fuzzDimSchema).default({}),
    matrix: matrixSchema.optional(),
    cases: z.record(nameSchema, caseSchema).default({}).describe('Edge cases, always run.'),
    values: z
      .array(z.enum(VALUE_KINDS))
      .min(1)
      .refine(distinct, { error: 'a kind is listed twice' })
      .optional()
      .describe('Kinds of values; default: all.'),
    huge: z
      .number()
      .positive()
      .optional()
      .describe('Scale of huge values; default 30: the exp of their products overflows f32.'),
    nonfinite: z
      .record(identifierSchema, z.array(z.enum(NONFINITE)).min(1).refine(distinct, { error: 'listed twice' }))
      .optional()
      .describe('Inputs that may hold NaN or infinities, because the oracle defines how they propagate.'),
    where: formulaSchema.optional().describe('What generated dimensions must satisfy.'),
    max_bytes: z.number().positive().optional().describe('Tensors of a case; default 64 MiB, cuda 512 MiB.'),
    max_operations: z
      .number()
      .positive()
      .optional()
      .describe('Operations of a case; default 2e9, cuda 2e11.'),
  })
  .describe('What `pawl fuzz` generates cases from.');
export type FuzzSettings = z.output<typeof fuzzSchema>;
