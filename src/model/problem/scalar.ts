import { z } from 'zod';

/** Types of scalars: what C passes by value. */
const SCALAR_DTYPES = ['f64', 'f32', 'i64', 'i32'] as const;
export const scalarDtypeSchema = z.enum(SCALAR_DTYPES);
export type ScalarDtype = z.infer<typeof scalarDtypeSchema>;

/** A scalar with its value in one case: what a kernel is called with beside its tensors. */
export const scalarSpecSchema = z.strictObject({
  name: z.string(),
  dtype: scalarDtypeSchema,
  /** The judge rounds it to the type, so that kernel and oracle get the same number. */
  value: z.number(),
});
export type ScalarSpec = z.infer<typeof scalarSpecSchema>;
