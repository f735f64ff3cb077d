/** What is under way, as `/api/v1/live` tells it: a snapshot first, then what happens. */
import { z } from 'zod';

import { caseKeySchema } from '../judge/comparison.ts';
import { deviceWaitSchema } from '../device/lock-holder.ts';
import { trialOutcomeSchema, TRIAL_PHASES } from '../tune/study.ts';
import { variantSchema } from '../problem/variant.ts';

/** A case of a run under way. */
const liveCaseSchema = caseKeySchema.extend({
  /** Whether its result is right; absent before it was looked at. */
  correct: z.boolean().optional(),
  series: z.int().nonnegative(),
  samples: z.int().nonnegative(),
  lost: z.int().nonnegative(),
  /** Of the last series. */
  median_ms: z.number().positive().optional(),
});
export type LiveCase = z.infer<typeof liveCaseSchema>;

const liveRunSchema = z.object({
  /** The name of its folder in `.pawl/runs`; it is stored under another id. */
  id: z.string(),
  started_at: z.string().optional(),
  host: z.string().optional(),
  cases: z.array(liveCaseSchema),
  /** It has no device yet. */
  waiting: deviceWaitSchema.optional(),
});
export type LiveRun = z.infer<typeof liveRunSchema>;

const liveTrialSchema = z.object({
  number: z.int().positive(),
  variant: variantSchema.optional(),
  phase: z.enum(TRIAL_PHASES).optional(),
  /** Absent: under way. */
  outcome: trialOutcomeSchema.optional(),
});
export type LiveTrial = z.infer<typeof liveTrialSchema>;

const liveStudySchema = z.object({
  id: z.string(),
  kernel: z.string().optional(),
  started_at: z.string().optional(),
  trials: z.int().nonnegative(),
  measured: z.int().nonnegative(),
  rejected: z.int().nonnegative(),
  best_ms: z.number().positive().optional(),
});
export type LiveStudy = z.infer<typeof liveStudySchema>;

/** `type` is also the name of the server-sent event. */
export const liveEventSchema = z.discriminatedUnion('type', [
  /** Everything that is under way: it replaces what the receiver knew. */
  z.object({ type: z.literal('snapshot'), runs: z.array(liveRunSchema), studies: z.array(liveStudySchema) }),
  z.object({ type: z.literal('run'), run: liveRunSchema }),
  z.object({ type: z.literal('study'), study: liveStudySchema }),
  z.object({
    type: z.literal('progress'),
    run: z.string().optional(),
    study: z.string().optional(),
    /** Of a run: the case that it got further with. */
    case: liveCaseSchema.optional(),
    /** Of a study: the trial that began or ended. */
    trial: liveTrialSchema.optional(),
  }),
  z.object({
    type: z.literal('finished'),
    run: z.string().optional(),
    study: z.string().optional(),
    /** `died`: its process is gone and left its journal behind. */
    how: z.enum(['finished', 'died']),
  }),
  /** A run is in the store that was not. */
  z.object({ type: z.literal('recorded'), run: z.string() }),
  /** A session began, or went on. */
  z.object({ type: z.literal('session'), session: z.string(), revision: z.int().nonnegative() }),
]);
export type LiveEvent = z.infer<typeof liveEventSchema>;
