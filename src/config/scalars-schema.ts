import { z } from 'zod';

import { scalarDtypeSchema } from '../model/problem/scalar.ts';
import type { ScalarDtype } from '../model/problem/scalar.ts';
import type { Expression } from './expression/expression.ts';
import { formulaSchema, identifierSchema } from './formula-schema.ts';

/** A scalar of a problem; `default` is null where every case has to say. */
export interface Scalar {
  readonly name: string;
  readonly dtype: ScalarDtype;
  readonly default: Expression | null;
}

const scalarSchema = z.union([
  z.strictObject({
    dtype: scalarDtypeSchema.default('f64').describe('f64 (default), f32, i64 or i32.'),
    value: formulaSchema.nullable().default(null).describe('Formula over the dimensions; null: cases say.'),
  }),
  z.null().transform(() => ({ dtype: 'f64' as const, value: null })),
  formulaSchema.transform((value) => ({ dtype: 'f64' as const, value })),
]);

export const scalarsSchema = z
  .record(identifierSchema, scalarSchema)
  .default({})
  .transform((scalars): Scalar[] =>
    Object.entries(scalars).map(([name, { dtype, value }]) => ({ name, dtype, default: value })),
  )
  .describe(
    'Numbers that kernels and oracles get beside the tensors: a mapping from name to value (a formula over the dimensions; null: cases say), or to {dtype, value}.',
  );
