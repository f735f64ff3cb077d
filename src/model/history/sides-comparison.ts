/** `pawl.sides/1`: two commits, branches, devices or drivers out of the history, every case of both judged. */
import { z } from 'zod';

import { CORRECTIONS, intervalSchema, verdictSchema } from '../judge/comparison.ts';
import { toldCommitSchema } from './history-api.ts';
import { historyKeySchema } from './history.ts';

export const SIDES_SCHEMA = 'pawl.sides/1';

/** What a side is: of every case the newest measurement for which all of this holds. */
export interface AskedSide {
  /** A commit (whole, or its beginning), or a branch: its newest measurements. */
  readonly revision?: string;
  /** A device's name, or a part that only one device has. */
  readonly device?: string;
  readonly driver?: string;
}

const foundSideSchema = z.object({
  /** Where it is one commit. */
  commit: z.string().optional(),
  branch: z.string().optional(),
  device: z.string().optional(),
  driver: z.string().optional(),
  /** Cases that were measured of it. */
  cases: z.int().nonnegative(),
});
export type FoundSide = z.infer<typeof foundSideSchema>;

/** One measurement of a side. */
const sidePointSchema = z.object({
  /** For the address of its samples. */
  measurement: z.string(),
  run: z.string(),
  commit: z.string().optional(),
  time: z.string(),
  device_class: z.string(),
  level_ms: z.number().positive().optional(),
  ci_ms: z.tuple([z.number().positive(), z.number().positive()]).optional(),
  /** Not timed: the binary is the baseline's, and so are the samples. */
  carried: z.boolean().optional(),
  /** Retention has left a part of its samples, or none. */
  thinned: z.boolean().optional(),
});
export type SidePoint = z.infer<typeof sidePointSchema>;

const sideCaseSchema = z.object({
  /** As `b` has it, or `a` where `b` has none. */
  key: historyKeySchema,
  a: sidePointSchema.optional(),
  b: sidePointSchema.optional(),
  /** Both were measured in one run, in turns: nothing but the code was another. */
  together: z.boolean().optional(),
  /** Of `b` against `a`; absent where one of them was not measured, or where retention has taken its samples. */
  verdict: verdictSchema.optional(),
  change_pct: z.number().optional(),
  ci_pct: intervalSchema.optional(),
  /** Allowing for the number of cases. */
  p_adjusted: z.number().min(0).max(1).optional(),
  /** Why, in words. */
  reason: z.string().optional(),
  /** Where the two were measured, if on different hosts: the machine may be what differs. */
  hosts: z.object({ baseline: z.string(), candidate: z.string() }).optional(),
});
export type SideCase = z.infer<typeof sideCaseSchema>;

export const sidesComparisonSchema = z.object({
  schema: z.literal(SIDES_SCHEMA),
  a: foundSideSchema,
  /** What is judged; `a` is what it is judged against. */
  b: foundSideSchema,
  /** The worst of the cases; absent where no case could be judged. */
  verdict: verdictSchema.optional(),
  thresholds: z.object({ regression_pct: z.number().positive(), improvement_pct: z.number().positive() }),
  correction: z.enum(CORRECTIONS),
  /** The commits of the sides, as far as they are known. */
  commits: z.array(toldCommitSchema),
  /** By kernel and case. */
  cases: z.array(sideCaseSchema),
});
/** What `compareStored` returns: a verdict per case of two sides, from stored samples (`pawl.sides/1`). */
export type SidesComparison = z.infer<typeof sidesComparisonSchema>;
