/** `pawl.race/1`: all kernels of a problem beside one reference. `pawl race --json` prints it. */
import { z } from 'zod';

import { caseComparisonSchema, comparisonSchema } from './comparison.ts';
import { runCostSchema } from '../device/cost.ts';
import { faultSchema } from '../measure/fault.ts';
import { modeSchema } from '../measure/protocol.ts';
import { protectionsSchema } from '../device/sandbox.ts';
import { environmentSchema } from '../measure/samples.ts';

export const RACE_SCHEMA = 'pawl.race/1';

/**
 * What became of a kernel in a case. `raced`: its times count. `broken`: it does not build. `blind`: the tolerance
 * lets wrong results pass. `lost`: no series could be taken. `skipped`: it cannot run on this machine.
 */
const racerStateSchema = z.enum(['raced', 'wrong', 'refused', 'broken', 'blind', 'lost', 'skipped']);
export type RacerState = z.infer<typeof racerStateSchema>;

/** How often faster than the reference; below 1 is slower. */
export const speedupSchema = z.object({ estimate: z.number(), low: z.number(), high: z.number() });
export type Speedup = z.infer<typeof speedupSchema>;

const racerSchema = z.object({
  kernel: z.string(),
  state: racerStateSchema,
  /** Against the reference; absent for the reference and for what did not race. */
  verdict: z.enum(['improved', 'maintained', 'regressed', 'undecided']).optional(),
  /** One sentence for people: what the verdict rests on, or why there is none. */
  reason: z.string().optional(),
  /** Median of the process medians. */
  median_ms: z.number().positive().optional(),
  speedup: speedupSchema.optional(),
  /** The places that the measurements leave open, 1 is the fastest: `[2, 2]` is shown, `[1, 2]` is not told apart. */
  rank: z.tuple([z.int().positive(), z.int().positive()]).optional(),
  processes: z.int().nonnegative(),
  fault: faultSchema.optional(),
});
export type Racer = z.infer<typeof racerSchema>;

/** Over all cases; a part is absent where a case has none. */
const standingSchema = racerSchema.pick({ kernel: true, speedup: true, rank: true });
export type Standing = z.infer<typeof standingSchema>;

const raceCaseSchema = z.object({
  case: z.string(),
  mode: modeSchema.optional(),
  dims: z.record(z.string(), z.number()).optional(),
  /** The fastest first; what did not race comes last. */
  kernels: z.array(racerSchema),
  /** Every two kernels that raced, as ranks rest on them. */
  pairs: z.array(z.object({ baseline: z.string(), candidate: z.string(), compared: caseComparisonSchema })),
});
export type RaceCase = z.infer<typeof raceCaseSchema>;

export const raceSchema = z.object({
  schema: z.literal(RACE_SCHEMA),
  problem: z.string(),
  reference: z.string(),
  /** What the exit code says. `bad`: a kernel is wrong, refused or does not build. Being slower is not bad. */
  result: z.enum(['good', 'undecided', 'bad']),
  /** Kernels that differ by this much are told apart, whichever is the faster one. */
  threshold_pct: z.number().positive(),
  ...comparisonSchema.pick({ correction: true, error_rates: true }).shape,
  /** Where each kernel stands over all cases, the fastest first. */
  kernels: z.array(standingSchema),
  cases: z.array(raceCaseSchema),
  /** Kernels of the problem that have no case in common with the reference. */
  left_out: z.array(z.object({ kernel: z.string(), reason: z.string() })),
  /** A kernel against itself, measured along. */
  control: comparisonSchema.optional(),
  /** Why measuring ended; absent where nothing was measured. */
  stopped_by: z.string().optional(),
  hardware: z.string().optional(),
  commit: z.string().optional(),
  /** The files that were measured are not those of `commit`. */
  dirty: z.boolean().optional(),
  protections: protectionsSchema.optional(),
  environment: environmentSchema.optional(),
  cost: runCostSchema.optional(),
  /** What was written, by what it is: `samples`, `markdown`, `html`, `report`. */
  files: z.record(z.string(), z.string()),
});
export type Race = z.infer<typeof raceSchema>;
