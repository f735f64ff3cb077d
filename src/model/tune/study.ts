/** A search as it happens: trials, and what came of each. `docs/tuning.md` explains the words. */
import { z } from 'zod';

import { REJECTION_NAMES } from './rejection.ts';
import { variantSchema } from '../problem/variant.ts';

/** What the compiler or the driver says that a variant uses. */
const resourcesSchema = z.object({
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
    /** Bootstrap 95 % interval of the median of all samples; of one process it says nothing about others. */
    ci_ms: z.tuple([z.number().positive(), z.number().positive()]).optional(),
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
  /** SHA-256 of what was built, and the CPUs it is given: the same for variants that are the same program. */
  binary: z.string().optional(),
  /** The trial whose outcome this one has, because both are the same program; it was not measured again. */
  same_binary_as: z.int().positive().optional(),
  /** Seconds of the study's own clock at which it was proposed and told of. */
  proposed_s: z.number().nonnegative().optional(),
  told_s: z.number().nonnegative().optional(),
  /** Absent: under way. */
  outcome: trialOutcomeSchema.optional(),
});
export type Trial = z.infer<typeof trialSchema>;

/** What a teller knows of a trial besides its outcome. */
export type TrialDetails = Pick<
  Trial,
  'resources' | 'build_s' | 'measure_s' | 'device' | 'binary' | 'same_binary_as'
>;

export type MeasuredOutcome = Extract<TrialOutcome, { status: 'measured' }>;
export type RejectedOutcome = Extract<TrialOutcome, { status: 'rejected' }>;
