import { z } from 'zod';

/** More of a series is not a summary of it any longer. */
export const MOST_QUANTILES = 1000;

/** How long samples are kept, and how many of them. Verdicts, levels and documents are kept for good. */
export const retentionSchema = z.strictObject({
  all_days: z.int().min(0).default(180).describe('Keep all samples for this many days.'),
  quantiles: z.int().min(0).max(MOST_QUANTILES).default(20).describe('Then keep this many of each series.'),
  quantiles_days: z
    .int()
    .min(0)
    .default(1095)
    .describe('Keep those until they are this many days old, then none.'),
});
export type RetentionRules = Readonly<z.infer<typeof retentionSchema>>;
