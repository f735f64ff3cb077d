import { z } from 'zod';

/** What a kernel made of some of its inputs before it was timed (`prepare` in pawl.yaml). */
export const preparationSchema = z.object({
  /** How often: once for each buffer set, and again when those inputs changed. */
  count: z.int().positive(),
  /** How long it took, in the middle, by the judge's clock. */
  ms: z.number().nonnegative(),
  /** The most memory that it kept for one buffer set, as far as the process tells. */
  bytes: z.number().nonnegative(),
});
