/** `pawl.thresholds/1`: which regression threshold the noise of each case allows. `pawl thresholds --json` prints it. */
import { z } from 'zod';

import { historyKeySchema } from '../history/history.ts';

export const THRESHOLDS_SCHEMA = 'pawl.thresholds/1';

const ratesSchema = z.object({
  /** Slowdowns as large as the threshold: the share called regressed. */
  caught: z.number().min(0).max(1),
  /** Unchanged code: the share called regressed. */
  false_alarm: z.number().min(0).max(1),
  undecided: z.number().min(0).max(1),
});

/**
 * `fits`: the threshold is the smallest that holds. `tighter`: a smaller one holds. `too-noisy`: only a larger one
 * does. `beyond`: none does. `too-few`: too few processes were measured to say.
 */
const THRESHOLD_STATES = ['fits', 'tighter', 'too-noisy', 'beyond', 'too-few'] as const;

const caseSchema = z.object({
  kernel: z.string(),
  case: z.string(),
  state: z.enum(THRESHOLD_STATES),
  /** What pawl.yaml says now. */
  threshold_pct: z.number().positive(),
  /** The smallest at which the promised rates hold. */
  smallest_pct: z.number().positive().optional(),
  /** What was measured of it; absent where nothing was. */
  mode: z.string().optional(),
  device_class: historyKeySchema.shape.device_class.optional(),
  measurements: z.int().nonnegative(),
  processes: z.int().nonnegative(),
  /** Half of what the middle 68 % of its processes span. */
  spread_pct: z.number().nonnegative().optional(),
  /** The gate replayed with the threshold of now. */
  rates: ratesSchema.optional(),
  /** `too-noisy` and `beyond`: processes per side with which the threshold of now would hold; absent: more than 96. */
  needs_processes: z.int().positive().optional(),
});
export type CaseThreshold = z.infer<typeof caseSchema>;

export const thresholdsReportSchema = z.object({
  schema: z.literal(THRESHOLDS_SCHEMA),
  /** Where the measurements come from. */
  source: z.string(),
  /** What has to hold, and how it was replayed. */
  promised: ratesSchema,
  processes: z.int().positive(),
  runs: z.int().positive(),
  /** Fewer processes than this do not say how much a case varies. */
  least_processes: z.int().positive(),
  cases: z.array(caseSchema),
  /** By `kernel/case`: what to write below `thresholds.cases` of pawl.yaml. */
  proposed: z.record(z.string(), z.object({ regression_pct: z.number().positive() })),
});
export type ThresholdsReport = z.infer<typeof thresholdsReportSchema>;
