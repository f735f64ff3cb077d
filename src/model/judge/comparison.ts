/** `pawl.comparison/1`: two measurements of each case in, one verdict out. `pawl compare --json` prints it. */
import { z } from 'zod';

import { blindAnswersSchema } from '../correctness/verification.ts';
import { faultSchema } from '../measure/fault.ts';
import { judgeFieldsSchema } from './judge-change.ts';
import { modeSchema } from '../measure/protocol.ts';
import { protectionsSchema } from '../device/sandbox.ts';
import { variantSchema } from '../problem/variant.ts';
import { VERDICTS } from './verdict.ts';

export const COMPARISON_SCHEMA = 'pawl.comparison/1';

export const verdictSchema = z.enum(VERDICTS);

/** How it is allowed for that many cases are judged at once. */
export const CORRECTIONS = ['holm', 'bh', 'none'] as const;
const correctionSchema = z.enum(CORRECTIONS);
export type Correction = z.infer<typeof correctionSchema>;

/** The same as a factor: 20 % less time is 1.25×. There is none where nothing would be left of the time. */
export function speedupOf(change_pct: number): number | undefined {
  return change_pct >= 100 ? undefined : 1 / (1 - change_pct / 100);
}

/** In percent, positive is faster; lower end first. */
export const intervalSchema = z.tuple([z.number(), z.number()]);

const changeSchema = z.object({ change_pct: z.number(), ci_pct: intervalSchema });
export type Change = z.infer<typeof changeSchema>;

/** What a case is matched by. */
export const caseKeySchema = z.object({
  kernel: z.string().optional(),
  case: z.string(),
  variant: variantSchema.optional(),
  mode: modeSchema.optional(),
});
export type CaseKey = z.infer<typeof caseKeySchema>;

const caseSchema = caseKeySchema.extend({
  verdict: verdictSchema,
  /** One sentence for people: what was seen, and for `undecided` what would decide it. */
  reason: z.string(),
  /** The regression threshold of this case, where pawl.yaml gives it one of its own. */
  threshold_pct: z.number().positive().optional(),
  /** Processes of the baseline and of the candidate. */
  processes: z.tuple([z.int().nonnegative(), z.int().nonnegative()]),
  /** Where the two were measured, if on different hosts: the machine may be what differs. */
  hosts: z.object({ baseline: z.string(), candidate: z.string() }).optional(),
  /** Inputs that the kernels prepare outside of their times, if that is not the same. */
  prepared: z.object({ baseline: z.array(z.string()), candidate: z.array(z.string()) }).optional(),
  /** `incorrect` only: what is wrong with the candidate, and where it shows. */
  fault: faultSchema.optional(),
  /** Where the baseline itself cannot be used: what is wrong with it, or why that could not be decided. */
  baseline_fault: z.object({ verdict: z.enum(['incorrect', 'undecided']), text: z.string() }).optional(),
  /** `undecided` only: answers that need no work and that the candidate's tolerance would let pass. */
  blind: blindAnswersSchema.optional(),
});

const estimateSchema = z.object({
  /**
   * What stands for a process: the mean of the fastest tenth of its samples, or their median. Of summaries: their
   * median, their mean, or the one figure of which the file does not say which it is.
   */
  level: z.enum(['fastest-tenth', 'median', 'mean', 'stated']),
  /** How the spread of processes is known: from them, or, with fewer than three on a side, only assumed. */
  noise: z.enum(['measured', 'assumed']),
  /** `summaries`: a side has no samples, only what another tool says of them. Absent: samples on both sides. */
  evidence: z.enum(['summaries']).optional(),
  change_pct: z.number(),
  /** Its lower end excludes slowdowns, its upper end alarms: the tails differ (docs/statistics.md). */
  ci_pct: intervalSchema,
  speedup: z.number().positive(),
  /** Location of the process levels. */
  baseline_ms: z.number().positive(),
  candidate_ms: z.number().positive(),
  /** Median of the process medians, baseline and candidate. */
  median_ms: z.tuple([z.number().positive(), z.number().positive()]),
  /** Whether the bootstrap 95 % intervals of the two medians of all samples overlap. Reported, not judged by. */
  ci_overlap: z.boolean(),
  /** Of the process levels, positive when the candidate is faster. Reported, not judged by. */
  cliffs_delta: z.number().min(-1).max(1),
  mann_whitney_p: z.number().min(0).max(1),
  /** Two-sided, of "no change", by the verdict's own test, before and after allowing for the other cases. */
  p: z.number().min(0).max(1),
  p_adjusted: z.number().min(0).max(1),
  /** The change of the processes' medians, by the same test. */
  median: changeSchema,
  /** The change of the processes' 95 % quantiles; absent where a process has too few samples for one. */
  tail: changeSchema.extend({ moved: z.boolean() }).optional(),
  /** The change in clock cycles, where every sample's clock is known. */
  cycles: changeSchema.extend({ clock_change: z.boolean() }).optional(),
  /** `undecided` only: what would decide it, if the processes go on to differ as they did. */
  needs: z.object({ processes: z.int().positive(), seconds: z.number().positive().optional() }).optional(),
});
export type CaseEstimate = z.infer<typeof estimateSchema>;

/** A case with an estimate of its change, or one without: new, wrong, or without series. */
export const caseComparisonSchema = z.discriminatedUnion('state', [
  caseSchema.extend({ state: z.literal('estimated'), ...estimateSchema.shape }),
  caseSchema.extend({
    state: z.literal('not-estimated'),
    baseline_ms: z.number().positive().optional(),
    candidate_ms: z.number().positive().optional(),
  }),
]);
export type CaseComparison = z.infer<typeof caseComparisonSchema>;

/** Two kernels of one problem, where that is what is compared: `kernel` of the cases is the candidate's name. */
const comparedKernelsSchema = z.object({
  /** The reference. */
  baseline: z.string(),
  candidate: z.string(),
  problem: z.string().optional(),
  /** How it is known that they compute the same; `cases`: only names and dimensions of their cases say so. */
  matched_by: z.enum(['problem', 'cases']),
});
export type ComparedKernels = z.infer<typeof comparedKernelsSchema>;

export const comparisonSchema = z.object({
  schema: z.literal(COMPARISON_SCHEMA),
  verdict: verdictSchema,
  thresholds: z.object({ regression_pct: z.number().positive(), improvement_pct: z.number().positive() }),
  correction: correctionSchema,
  /** What is bounded: calling unchanged code slower, and calling maintained what is slower by the threshold. */
  error_rates: z.object({ false_alarm: z.number(), miss: z.number() }),
  cases: z.array(caseComparisonSchema),
  kernels: comparedKernelsSchema.optional(),
  /** Cases of the baseline that the candidate does not have. */
  missing: z.array(caseKeySchema),
  /** The two sides ran on different devices and the comparison was asked for anyway: how they differ. */
  device_mismatch: z.string().optional(),
  ...judgeFieldsSchema.shape,
  /** What confined every process of both sides, where that is known. */
  protections: protectionsSchema.optional(),
});
/** A verdict per case and the worst of them, with estimates, intervals and error rates (`pawl.comparison/1`). */
export type Comparison = z.infer<typeof comparisonSchema>;
