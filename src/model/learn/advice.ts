/**
 * `pawl.advice/1`: what to do next, ranked by expected gain. The expectation starts from the rule's own estimate
 * and is updated by how that fix turned out in recorded sessions; docs/advice.md states the update.
 */
import { z } from 'zod';

import { intervalSchema } from '../judge/comparison.ts';
import { RULE_IDS } from '../profile/diagnosis-words.ts';

export const ADVICE_SCHEMA = 'pawl.advice/1';

/** How a try for a finding turned out; what the model learns from. */
export const fixOutcomeSchema = z.object({
  session: z.string(),
  try: z.int().positive(),
  date: z.string(),
  rule: z.enum(RULE_IDS),
  /** The problem's name: attention, gemm. */
  kind: z.string(),
  device: z.string(),
  /** What the rule promised, in percent of the kernel's time, and what the try's comparison found (positive is faster). */
  expected_gain_pct: z.number(),
  change_pct: z.number(),
  ci_pct: intervalSchema.optional(),
});
export type FixOutcome = z.infer<typeof fixOutcomeSchema>;

export const rankedFixSchema = z.object({
  rank: z.int().positive(),
  rule: z.enum(RULE_IDS),
  diagnosis: z.string(),
  fix: z.string(),
  /** Of the rule alone, and after what was recorded; percent of the kernel's time. */
  rule_gain_pct: z.number(),
  expected_gain_pct: z.number(),
  /** 80 % interval of what one such fix brings. */
  ci_pct: intervalSchema,
  /** How many outcomes it rests on, and how much they weigh together after discounting other devices and kinds. */
  outcomes: z.int().nonnegative(),
  weight: z.number().nonnegative(),
  evidence: z.array(fixOutcomeSchema),
  /** Why it stands where it stands, one or two sentences. */
  explanation: z.string(),
});
export type RankedFix = z.infer<typeof rankedFixSchema>;

export const predictionSchema = z.object({
  minutes: z.number().positive(),
  minutes_ci: intervalSchema,
  speedup: z.number().positive(),
  speedup_ci: intervalSchema,
  /** Sessions it rests on; 0: the method's own budgets and the target, and it says so. */
  sessions: z.int().nonnegative(),
  basis: z.string(),
});
export type Prediction = z.infer<typeof predictionSchema>;

/** How far predictions of earlier sessions were off. */
export const predictionErrorSchema = z.object({
  sessions: z.int().nonnegative(),
  /** Geometric mean of the factor by which they were off, over all and over the last ten. */
  minutes_factor: z.number().min(1).optional(),
  speedup_factor: z.number().min(1).optional(),
  minutes_factor_last: z.number().min(1).optional(),
  speedup_factor_last: z.number().min(1).optional(),
  /** Share of outcomes inside the 80 % intervals. */
  minutes_covered: z.number().min(0).max(1).optional(),
  speedup_covered: z.number().min(0).max(1).optional(),
});
export type PredictionError = z.infer<typeof predictionErrorSchema>;

export const adviceSchema = z.object({
  schema: z.literal(ADVICE_SCHEMA),
  kernel: z.string(),
  kind: z.string(),
  device: z.string(),
  /** What it rests on: a file, or the folder of a stored profile. */
  profile: z
    .object({ source: z.string(), case: z.string().optional(), taken_at: z.string().optional() })
    .optional(),
  fixes: z.array(rankedFixSchema),
  /** `rules`: nothing was recorded, the ranking is the rules' own. */
  basis: z.enum(['rules', 'recorded']),
  prediction: predictionSchema.optional(),
  prediction_error: predictionErrorSchema.optional(),
});
/** Fixes for a kernel, ranked by expected gain, each with the evidence behind its rank (`pawl.advice/1`). */
export type Advice = z.infer<typeof adviceSchema>;
