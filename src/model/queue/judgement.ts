/** `pawl.judgement/1`: what the judge says of one candidate. `pawl judge --json` and `pawl adopt --run --json` print it. */
import { z } from 'zod';

import { verdictSchema } from '../judge/comparison.ts';
import { modeSchema } from '../measure/protocol.ts';
import { speedupSchema } from '../judge/race.ts';
import { protectionsSchema } from '../device/sandbox.ts';

export const JUDGEMENT_SCHEMA = 'pawl.judgement/1';

/** A file of a candidate whose sources are sent: it lies below the candidate's folder. */
export const candidateNameSchema = z
  .string()
  .min(1)
  .max(300)
  .refine((name) => isBelowCandidate(name), { error: 'a file name inside the candidate' });

function isBelowCandidate(name: string): boolean {
  const parts = name.split('/');
  return !parts.includes('..') && !/^\/|[\0\\]/u.test(name) && parts.at(-1) !== '' && parts.at(-1) !== '.';
}

const judgedCaseSchema = z.object({
  case: z.string(),
  mode: modeSchema.optional(),
  verdict: verdictSchema,
  /** One sentence for people: what the verdict rests on. */
  reason: z.string(),
  /** What stands for the processes of each side; absent where nothing was timed. */
  reference_ms: z.number().positive().optional(),
  candidate_ms: z.number().positive().optional(),
  speedup: speedupSchema.optional(),
  /** Processes of the reference and of the candidate whose times count. */
  processes: z.tuple([z.int().nonnegative(), z.int().nonnegative()]).optional(),
});
export type JudgedCase = z.infer<typeof judgedCaseSchema>;

/** Something that speaks against the candidate. */
const judgementFindingSchema = z.object({
  /** A detector's name (docs/correctness.md), or how the candidate failed: `build-failed`, `crashed`, `hung` … */
  detector: z.string(),
  /** What was seen, in one sentence. */
  evidence: z.string(),
  case: z.string().optional(),
});
export type JudgementFinding = z.infer<typeof judgementFindingSchema>;

const judgementCostSchema = z.object({
  /** Building and judging this candidate, without waiting for other candidates or for a device. */
  wall_s: z.number().nonnegative(),
  /** How long the device was held for it; of what several candidates share, its part. */
  device_s: z.number().nonnegative(),
  build_s: z.number().nonnegative(),
});
export type JudgementCost = z.infer<typeof judgementCostSchema>;

export const judgementSchema = z.object({
  schema: z.literal(JUDGEMENT_SCHEMA),
  /** The candidate's, in a batch. */
  id: z.string().optional(),
  /** The worst of the cases'. `incorrect`: it is wrong, cheats, crashes, hangs or does not build. */
  verdict: verdictSchema,
  /** Every case agrees with the oracle, and nothing speaks against the candidate. */
  correct: z.boolean(),
  reason: z.string(),
  /** Over all cases: geometric means. Absent where a case was not timed. */
  speedup: speedupSchema.optional(),
  /** The lower end of the speed-up; 0 unless correct and without findings (docs/judge.md). */
  reward: z.number().nonnegative(),
  cases: z.array(judgedCaseSchema),
  /** Generated cases in which it was right, besides the declared ones. Absent where none was tried. */
  generated_cases: z.int().nonnegative().optional(),
  findings: z.array(judgementFindingSchema),
  /** What confined the candidate's processes; empty where nothing did, or none was started. */
  protections: protectionsSchema,
  /** What the compiler said, cut to the errors, where the candidate does not build. */
  build_log: z.string().optional(),
  /** What the candidate's process printed last, where it crashed, hung or could not be loaded. */
  output: z.string().optional(),
  cost: judgementCostSchema,
  problem: z.string(),
  /** The kernel that it was measured against. */
  reference: z.string(),
  /** Of the names and contents of the candidate's files: the same sources have the same. */
  sources_sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** The candidate of the same batch with the same sources, whose judgement this is. */
  same_as: z.string().optional(),
});
export type Judgement = z.infer<typeof judgementSchema>;

export const JUDGEMENT_ERROR_SCHEMA = 'pawl.judgement-error/1';

/** A line of a batch that could not be judged: it cannot be read, or this machine cannot run the candidate. */
export const judgementErrorSchema = z.object({
  schema: z.literal(JUDGEMENT_ERROR_SCHEMA),
  /** Absent where the line does not say one. */
  id: z.string().optional(),
  /** Of the batch, counted from 1. */
  line: z.int().positive().optional(),
  error: z.object({ kind: z.string(), message: z.string(), hint: z.string().optional() }),
});
export type JudgementError = z.infer<typeof judgementErrorSchema>;

/** A line of what `pawl judge --batch` prints and `--out` keeps. */
export const judgementLineSchema = z.discriminatedUnion('schema', [judgementSchema, judgementErrorSchema]);
export type JudgementLine = z.infer<typeof judgementLineSchema>;
