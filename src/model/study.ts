/** A search as it happens: trials, and what came of each. `docs/tuning.md` explains the words. */
import { z } from 'zod';

import { REJECTION_NAMES } from './rejection.ts';
import { variantSchema } from './variant.ts';

/** What the compiler or the driver says that a variant uses. */
export const resourcesSchema = z.object({
  registers: z.int().nonnegative().optional(),
  spill_bytes: z.int().nonnegative().optional(),
  stack_bytes: z.int().nonnegative().optional(),
  /** Static and dynamic together, a block. */
  smem_bytes: z.int().nonnegative().optional(),
  threads: z.int().positive().optional(),
  /** Resident warps over the most that a multiprocessor holds. */
  occupancy: z.number().min(0).max(1).optional(),
});
export type Resources = z.infer<typeof resourcesSchema>;

export const trialOutcomeSchema = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('measured'),
    /** Level of the trial's processes: what the search compares. */
    time_ms: z.number().positive(),
    median_ms: z.number().positive(),
    samples: z.int().positive(),
    processes: z.int().positive(),
    /** Stopped after few samples, because it was clearly slower than the best: its time is rougher. */
    stopped_early: z.boolean(),
  }),
  z.object({
    status: z.literal('rejected'),
    gate: z.enum(['static', 'build', 'run']),
    reason: z.enum(REJECTION_NAMES),
    message: z.string(),
  }),
]);
export type TrialOutcome = z.infer<typeof trialOutcomeSchema>;

/** Who proposed a trial: the default variant, earlier winners, the spread-out start, or the model. */
export const TRIAL_PHASES = ['default', 'warm', 'start', 'search'] as const;

export const trialSchema = z.object({
  /** Its number in the study, from 1, in the order of proposals. */
  number: z.int().positive(),
  variant: variantSchema,
  phase: z.enum(TRIAL_PHASES),
  resources: resourcesSchema.optional(),
  build_s: z.number().nonnegative().optional(),
  measure_s: z.number().nonnegative().optional(),
  /** Which worker and device told; a device by its UUID. */
  worker: z.string().optional(),
  device: z.string().optional(),
  /** Absent: under way. */
  outcome: trialOutcomeSchema.optional(),
});
export type Trial = z.infer<typeof trialSchema>;
