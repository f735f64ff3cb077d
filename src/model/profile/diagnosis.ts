/** `pawl.diagnosis/1`: what limits a kernel, and what to do about it. `pawl diagnose --json` prints it. */
import { z } from 'zod';

import { DIAGNOSIS_SCHEMA, LIMITERS, RULE_IDS } from './diagnosis-words.ts';
import { causeLineSchema, findingLineSchema, hotLinesSchema, lineChangeSchema } from './hot-lines.ts';

export type { Limiter } from './diagnosis-words.ts';

export const diagnosisFindingSchema = z.object({
  rule: z.enum(RULE_IDS),
  /** 0 is most urgent. */
  priority: z.int().min(0).max(3),
  /** The numbers that it rests on, by name. */
  evidence: z.record(z.string(), z.number()),
  diagnosis: z.string(),
  fix: z.string(),
  /** How much of the kernel's time this could save. */
  expected_gain_pct: z.number().min(0).max(100),
  /** How that was estimated. */
  gain_basis: z.string().optional(),
  /** Where the rule comes from. */
  source: z.string().optional(),
  /** The lines that cause it, where samples by line were taken; the first has the largest part in it. */
  lines: z.array(findingLineSchema).optional(),
});
export type Finding = z.infer<typeof diagnosisFindingSchema>;

const dim3Schema = z.tuple([z.int(), z.int(), z.int()]);

const ncuRuleSchema = z.object({
  section: z.string(),
  rule: z.string(),
  type: z.string(),
  description: z.string(),
  speedup_pct: z.number().optional(),
});

/** Percent of each unit's peak; a unit that was not measured is not there. */
const speedOfLightSchema = z.object({
  compute_pct: z.number().optional(),
  memory_pct: z.number().optional(),
  dram_pct: z.number().optional(),
  l2_pct: z.number().optional(),
  l1_pct: z.number().optional(),
  tensor_pct: z.number().optional(),
  occupancy_pct: z.number().optional(),
});
export type SpeedOfLight = z.infer<typeof speedOfLightSchema>;

/** A question that the metrics in the profile do not decide, and how to decide it. */
const undecidedSchema = z.object({
  /** `limiter`: what limits the kernel. `needless-work`: whether the unit at its limit does work that it need not. */
  question: z.enum(['limiter', 'needless-work']),
  why: z.string(),
  metrics: z.array(z.string()),
  /** The command that collects them. */
  collect: z.string(),
});
export type UndecidedQuestion = z.infer<typeof undecidedSchema>;

/** What the rules make of one launch. */
const kernelDiagnosisSchema = z.object({
  name: z.string(),
  duration_us: z.number().optional(),
  /** `none` where what it would have to be compared with was not collected: see `undecided`. */
  limiter: z.enum(LIMITERS),
  undecided: undecidedSchema.optional(),
  /** In order: the first is what to fix first. */
  findings: z.array(diagnosisFindingSchema),
  /** Metrics that rules would have read. */
  not_collected: z.array(z.string()),
});
export type KernelDiagnosis = z.infer<typeof kernelDiagnosisSchema>;

/** The same with what the file says about the launch itself. */
export const launchDiagnosisSchema = kernelDiagnosisSchema.extend({
  id: z.string().optional(),
  grid: dim3Schema.optional(),
  block: dim3Schema.optional(),
  device: z.string().optional(),
  compute_capability: z.string().optional(),
  speed_of_light: speedOfLightSchema.optional(),
  /** What was read of it, by name: two profiles are compared by these. */
  signals: z.record(z.string(), z.number()).optional(),
  /** What ncu's own rules said. */
  ncu_rules: z.array(ncuRuleSchema).optional(),
});
export type LaunchDiagnosis = z.infer<typeof launchDiagnosisSchema>;

/** Two profiles of one kernel side by side. */
export const profileComparisonSchema = z.object({
  kernel: z.string(),
  /** What happened and the likely cause, in one sentence. */
  summary: z.string(),
  before_us: z.number().optional(),
  after_us: z.number().optional(),
  /** Of the duration; positive is faster. */
  change_pct: z.number().optional(),
  /** What moved by more than noise; the largest first. */
  moved: z.array(
    z.object({
      metric: z.string(),
      unit: z.string(),
      before: z.number(),
      after: z.number(),
    }),
  ),
  /** Lines whose cost changed, moved lines followed; the largest change first. */
  lines: z.array(lineChangeSchema).optional(),
  /** The line it comes from. */
  cause: causeLineSchema.optional(),
  appeared: z.array(z.enum(RULE_IDS)),
  vanished: z.array(z.enum(RULE_IDS)),
  persisted: z.array(z.enum(RULE_IDS)),
});
export type ProfileComparison = z.infer<typeof profileComparisonSchema>;

export const diagnosisSchema = z.object({
  schema: z.literal(DIAGNOSIS_SCHEMA),
  kernels: z.array(launchDiagnosisSchema),
  /** With --compare: the kernels of both files, paired by name. `kernels` are then those of the second. */
  comparisons: z.array(profileComparisonSchema).optional(),
  /** With a source page: where the time goes by line, launch by launch, in the order of `kernels`. */
  hot_lines: z.array(hotLinesSchema).optional(),
  /** Why there are no lines. */
  without_lines: z
    .object({
      /** `not-there`: the file has no samples by line. `other-launches`: it has those of other launches. */
      reason: z.enum(['not-there', 'other-launches']),
      /** The commands that collect and export them. */
      collect: z.array(z.string()),
    })
    .optional(),
  /** What in the files was not understood. */
  problems: z.array(z.string()).optional(),
});
/** What limits each kernel launch of a profile, and what to fix first (`pawl.diagnosis/1`). */
export type Diagnosis = z.infer<typeof diagnosisSchema>;
