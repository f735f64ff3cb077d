/** `pawl.bisect/1`: which commit made a case slower. `pawl bisect --json` prints it. */
import { z } from 'zod';

import { caseKeySchema, intervalSchema } from '../judge/comparison.ts';
import { runCostSchema } from '../device/cost.ts';

export const BISECT_SCHEMA = 'pawl.bisect/1';

const bisectCommitSchema = z.object({
  sha: z.string(),
  subject: z.string(),
  author: z.string(),
  time: z.string(),
  parents: z.array(z.string()),
});
export type BisectCommit = z.infer<typeof bisectCommitSchema>;

/**
 * `good` and `bad`: nearer to the one end or to the other. `skipped`: it does not build, is wrong, or lacks the case.
 * `undecided`: not even a longer measurement told.
 */
const BISECT_ANSWERS = ['good', 'bad', 'skipped', 'undecided'] as const;
export type BisectAnswer = (typeof BISECT_ANSWERS)[number];

/** Two commits measured side by side. */
export const bisectProbeSchema = z.object({
  /** What it was measured against. */
  base: z.string(),
  commit: z.string(),
  answer: z.enum(BISECT_ANSWERS),
  reason: z.string(),
  /** Positive is faster; absent where nothing was timed. */
  change_pct: z.number().optional(),
  ci_pct: intervalSchema.optional(),
  processes: z.tuple([z.int().nonnegative(), z.int().nonnegative()]),
  at: z.string(),
  wall_s: z.number().nonnegative(),
});
export type BisectProbe = z.infer<typeof bisectProbeSchema>;

/**
 * `found`: one commit, measured afresh against the one before it. `range`: it is among a few, of which those between
 * cannot be measured. `unconfirmed`: the last good and the first bad commit do not differ when measured afresh.
 * `nothing`: BAD is not slower than GOOD. `undecided`: whether it is could not be told. `stopped`: the budget was
 * spent; the same command goes on.
 */
const BISECT_OUTCOMES = ['found', 'range', 'unconfirmed', 'nothing', 'undecided', 'stopped'] as const;
export type BisectOutcome = (typeof BISECT_OUTCOMES)[number];

export const bisectReportSchema = z.object({
  schema: z.literal(BISECT_SCHEMA),
  outcome: z.enum(BISECT_OUTCOMES),
  case: caseKeySchema,
  good: z.string(),
  bad: z.string(),
  /** Commits after GOOD up to BAD, along first parents. */
  commits: z.int().positive(),
  /** Slower by more than half of this (as a ratio) is bad: by default, the least that BAD is slower by. */
  threshold_pct: z.number().positive().optional(),
  /** BAD against GOOD. */
  ends: bisectProbeSchema.optional(),
  last_good: z.string(),
  first_bad: z.string(),
  /** Oldest first; one where the commit was found. */
  suspects: z.array(bisectCommitSchema),
  /** Every commit that was tried, in the order of trying. */
  probes: z.array(bisectProbeSchema),
  /** The first bad commit against the last good one, measured afresh. */
  confirmation: bisectProbeSchema.optional(),
  /** What the first probes were chosen by. */
  prior: z.enum(['history', 'none']),
  notes: z.array(z.string()),
  /** What was measured is kept here; the same question again goes on from it. */
  journal: z.string(),
  cost: runCostSchema.optional(),
});
/**
 * What `bisect` returns: the first slow commit, or the commits it may be, and every measurement on the way
 * (`pawl.bisect/1`).
 */
export type BisectReport = z.infer<typeof bisectReportSchema>;
