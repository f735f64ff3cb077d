/** `pawl.check/1`: a comparison with what the ratchet made of it. `pawl compare` shows the same without a baseline. */
import { z } from 'zod';

import { caseKeySchema, comparisonSchema, verdictSchema } from '../judge/comparison.ts';
import { runCostSchema } from '../device/cost.ts';
import { LIMITERS, RULE_IDS } from '../profile/diagnosis-words.ts';
import { loadSchema } from '../device/load.ts';
import { profileSkipSchema, rooflineSchema } from '../profile/profile-report.ts';
import { environmentSchema } from '../measure/samples.ts';
import { skippedKernelSchema } from '../measure/skipped-kernel.ts';
import { variantSchema } from '../problem/variant.ts';

export const CHECK_SCHEMA = 'pawl.check/1';

/** What a check made of the baseline file. `absent`: there was none, and none was written. */
const BASELINE_STATES = ['absent', 'read', 'written'] as const;

/** A regression accepted on purpose. */
export const checkWaiverSchema = z.object({
  reason: z.string(),
  author: z.string(),
  expires: z.string(),
  /** The largest slowdown that it covers; absent: any. */
  slower_pct: z.number().positive().optional(),
});

/** A case whose baseline moved forward after an independent confirmation. */
export const checkAdvanceSchema = z.object({
  key: caseKeySchema,
  old_ms: z.number().positive(),
  new_ms: z.number().positive(),
  change_pct: z.number(),
});

const profiledSideSchema = z.object({
  limiter: z.enum(LIMITERS).optional(),
  /** The first, which is what to fix first. */
  finding: z
    .object({
      rule: z.enum(RULE_IDS),
      diagnosis: z.string(),
      fix: z.string(),
      /** The line it is about, with its share of the time. */
      at: z.string().optional(),
    })
    .optional(),
  roofline: rooflineSchema.optional(),
});

/** What a profile says about a change; all of it is in `profile.json` in the folder. */
export const checkProfileSchema = z.object({
  key: caseKeySchema,
  change_pct: z.number(),
  /** What happened and the likely cause, in one sentence. */
  summary: z.string().optional(),
  /** The line that the change comes from. */
  at: z
    .object({
      /** From the repository's top. */
      path: z.string(),
      line: z.int().positive(),
      text: z.string(),
    })
    .optional(),
  base: profiledSideSchema.optional(),
  head: profiledSideSchema.optional(),
  folder: z.string().optional(),
  seconds: z.number().nonnegative(),
});
export type CheckProfile = z.infer<typeof checkProfileSchema>;

/** What a call of one of the head's cases does, and its least times: FLOP/s, bytes/s and shares come from it. */
const caseWorkSchema = z.object({
  key: caseKeySchema,
  operations: z.number().nonnegative().optional(),
  bytes: z.number().nonnegative().optional(),
  /** The physical floor. */
  floor_ms: z.number().positive().optional(),
  /** At the ceilings that were measured on the device. */
  ceiling_ms: z.number().positive().optional(),
});
export type CaseWork = z.infer<typeof caseWorkSchema>;

export const checkReportSchema = z.object({
  schema: z.literal(CHECK_SCHEMA),
  /** The worst verdict of the cases that no waiver covers: what the exit code says. */
  verdict: verdictSchema,
  comparison: comparisonSchema,
  /** The base against itself, measured along. */
  control: comparisonSchema.optional(),
  waived: z.array(z.object({ key: caseKeySchema, waiver: checkWaiverSchema })),
  advanced: z.array(checkAdvanceSchema),
  /** Cases that the baseline had no entry for before this run. */
  new_cases: z.array(caseKeySchema),
  /** Entries that were measured while other work ran on the machine; not written unless somebody accepted that. */
  loaded: z.array(z.object({ key: caseKeySchema, load: loadSchema, kept: z.boolean() })).optional(),
  /** Absent where two results are compared and no baseline file takes part. */
  baseline: z.object({ path: z.string(), state: z.enum(BASELINE_STATES).optional() }).optional(),
  /** Why the largest changes happened, as far as a profiler tells. */
  profiles: z.array(checkProfileSchema).optional(),
  /** Changes that no profile explains, and why, each reason once. Their sentences are among the notes. */
  not_profiled: z
    .array(
      z.object({
        /** Why the profiler did nothing, or `failed` where profiling itself could not be done. */
        reason: z.enum([...profileSkipSchema.shape.reason.options, 'failed']),
        text: z.string(),
      }),
    )
    .optional(),
  /** What a reader must know besides: kernels left out, baselines that could not be measured again. */
  notes: z.array(z.string()),
  /** Kernels that were asked for and not measured, and why. Those that do not build are cases of the comparison too. */
  skipped: z.array(skippedKernelSchema).optional(),
  /** Of the cases that were measured and whose work is known. */
  work: z.array(caseWorkSchema).optional(),
  hardware: z.string().optional(),
  commit: z.string().optional(),
  /** The files that were measured are not those of `commit`: there are changes that no commit holds. */
  dirty: z.boolean().optional(),
  base_commit: z.string().optional(),
  /** Where two variants of one kernel are compared: what was asked for on each side. */
  variants: z.object({ base: variantSchema, head: variantSchema }).optional(),
  environment: environmentSchema.optional(),
  cost: runCostSchema.optional(),
  /** What was written, by what it is: `samples`, `markdown`, `html` … */
  files: z.record(z.string(), z.string()),
});
/**
 * What `check` and `compare` return: the verdict, the comparison behind it, and what happened to the baseline
 * (`pawl.check/1`).
 */
export type CheckReport = z.infer<typeof checkReportSchema>;
