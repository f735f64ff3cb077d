/** `pawl.study/1`: a search with all of its trials and its outcome. `tuning/trials.json` holds it. */
import { z } from 'zod';

import { verdictSchema } from '../judge/comparison.ts';
import { runCostSchema } from '../device/cost.ts';
import { REJECTION_NAMES } from './rejection.ts';
import { studySettingsSchema, studySubjectSchema } from './study-settings.ts';
import { trialSchema } from './study.ts';
import { variantSchema } from '../problem/variant.ts';

export const STUDY_SCHEMA = 'pawl.study/1';

/** A finalist beside the default, in interleaved blocks of fresh processes. */
export const confirmationSchema = z.object({
  trial: z.int().positive(),
  variant: variantSchema,
  verdict: verdictSchema,
  reason: z.string(),
  default_ms: z.number().positive().optional(),
  variant_ms: z.number().positive().optional(),
  speedup: z.number().positive().optional(),
  /** Of the speed-up, lower end first. */
  speedup_ci: z.tuple([z.number().positive(), z.number().positive()]).optional(),
  /** Of the default and of the variant. */
  processes: z.tuple([z.int().nonnegative(), z.int().nonnegative()]),
  device_s: z.number().nonnegative(),
});
export type Confirmation = z.infer<typeof confirmationSchema>;

/**
 * `improved`: a finalist is faster than the default by what is worth keeping. `kept`: the default stays, because
 * nothing is. `undecided`: a finalist may be faster, and the confirmation could not tell. `unconfirmed`: nothing was
 * measured against the default, because that was not asked for or the default itself does not run.
 * `none-valid`: no variant passed the gates.
 */
export const STUDY_RESULTS = ['improved', 'kept', 'undecided', 'unconfirmed', 'none-valid'] as const;

const importanceSchema = z.object({
  method: z.string(),
  /** Measured trials that it rests on. */
  trials: z.int().nonnegative(),
  /** Share of the variance of log time that the model explains of trials it did not see. */
  explained: z.number(),
  parameters: z.array(z.object({ name: z.string(), share: z.number().nonnegative() })),
  /** Pairs whose effect is more than the sum of both. */
  pairs: z.array(z.object({ names: z.tuple([z.string(), z.string()]), share: z.number().nonnegative() })),
});
export type Importance = z.infer<typeof importanceSchema>;

const throughputSchema = z.object({
  /** The study's clock: all its runs together. */
  wall_s: z.number().nonnegative(),
  search_s: z.number().nonnegative(),
  /** How long variants were checked and measured, and its share of the search. */
  measuring_s: z.number().nonnegative(),
  measuring_share: z.number().min(0).max(1),
  trials_per_minute: z.number().nonnegative(),
  /** What the builds would have taken one after the other, and the most that ran at once. */
  building_s: z.number().nonnegative(),
  builds_at_once: z.int().nonnegative(),
});
export type Throughput = z.infer<typeof throughputSchema>;

/** A gate that only a profile can ask, and that the winner does not pass. */
const profileWarningSchema = z.object({
  gate: z.enum(['bank_conflicts', 'bad_coalescing']),
  message: z.string(),
});
export type ProfileWarning = z.infer<typeof profileWarningSchema>;

export const studySchema = studySubjectSchema.extend({
  schema: z.literal(STUDY_SCHEMA),
  settings: studySettingsSchema,
  result: z.enum(STUDY_RESULTS),
  /** One sentence: the outcome, and why. */
  reason: z.string(),
  /** The confirmed variant, or the best one that was seen where nothing could be confirmed. */
  best: z
    .object({ trial: z.int().positive(), variant: variantSchema, time_ms: z.number().positive() })
    .optional(),
  default_ms: z.number().positive().optional(),
  /** What a speed-up is worth keeping from, in percent. */
  improvement_pct: z.number().positive(),
  ended_by: z.string(),
  finished_at: z.iso.datetime(),
  trials: z.array(trialSchema),
  confirmations: z.array(confirmationSchema),
  rejections: z.partialRecord(z.enum(REJECTION_NAMES), z.int().positive()),
  importance: importanceSchema.optional(),
  throughput: throughputSchema,
  /** Of all its runs together. */
  cost: runCostSchema,
  /** What a profiler says of the winner, or why there is no profile. */
  profile: z
    .object({
      summary: z.string().optional(),
      warnings: z.array(profileWarningSchema).optional(),
      folder: z.string().optional(),
      skipped: z.string().optional(),
    })
    .optional(),
  notes: z.array(z.string()),
  /** What was written, by what it is. */
  files: z.record(z.string(), z.string()),
});
export type Study = z.infer<typeof studySchema>;
export type StudyResult = Study['result'];
