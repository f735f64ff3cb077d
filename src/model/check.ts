import { z } from 'zod';

/** How one output compared with the oracle. */
const tensorCheckSchema = z.object({
  name: z.string(),
  elements: z.int().nonnegative(),
  mismatches: z.int().nonnegative(),
  max_abs_err: z.number().nullable(),
  max_rel_err: z.number().nullable(),
  worst: z
    .object({
      index: z.array(z.int().nonnegative()),
      got: z.number().nullable(),
      want: z.number().nullable(),
    })
    .optional(),
});

/** What a detector saw: a way in which a kernel was wrong that no tolerance excuses. */
const tamperSchema = z.object({
  detector: z.enum([
    'unwritten-output',
    'out-of-bounds-write',
    'input-changed',
    'nondeterministic',
    'aliased-output',
  ]),
  tensor: z.string(),
  message: z.string(),
});

export const checkResultSchema = z.object({
  passed: z.boolean(),
  oracle: z.string(),
  tensors: z.array(tensorCheckSchema),
  tampering: z.array(tamperSchema),
});
export type CheckResult = z.infer<typeof checkResultSchema>;
