/**
 * `pawl.ci/1`: one run of `pawl ci`, whatever came of it. The publish step reads it from an artifact that a
 * stranger's code may have written, so nothing in it says whose run it was: that comes from the code host.
 */
import { z } from 'zod';

import { checkReportSchema } from './check-report.ts';
import { verdictSchema } from '../judge/comparison.ts';
import { judgeAcceptanceSchema, judgeChangeSchema } from '../judge/judge-change.ts';
import { deviceWaitSchema } from '../device/lock-holder.ts';
import { FAILURE_KINDS } from '../pawl-error.ts';
import { VERDICT, VERDICTS } from '../judge/verdict.ts';

export const CI_SCHEMA = 'pawl.ci/1';

/** In the order of a run. */
export const CI_STEPS = [
  'doctor',
  'build',
  'correctness',
  'benchmark',
  'ratchet',
  'profile',
  'report',
  'artifacts',
  'baseline',
] as const;

const ciStepSchema = z.object({
  name: z.enum(CI_STEPS),
  status: z.enum(['passed', 'warned', 'failed', 'skipped']),
  seconds: z.number().nonnegative().optional(),
  /** One sentence: what was found, or why it was skipped. */
  detail: z.string().optional(),
});
export type CiStep = z.infer<typeof ciStepSchema>;

/** What decides red or green, and where it was read: a change must not loosen the gate that judges it. */
const ciPolicySchema = z.object({
  source: z.enum(['base', 'head', 'inputs']),
  regression_pct: z.number().positive(),
  improvement_pct: z.number().positive(),
  /** Regression thresholds of cases that have their own, by `kernel/case`. */
  case_regression_pct: z.record(z.string(), z.number().positive()).optional(),
  undecided: z.enum(['pass', 'fail']),
  profile: z.enum(['auto', 'always', 'never']),
});
export type CiPolicy = z.infer<typeof ciPolicySchema>;

/** Both from best to worst. `failed`: could not run (a broken build of Pawl's own, no device, bad configuration); never a regression. */
export const CI_VERDICTS = [...VERDICTS, 'failed'] as const;
export const CI_CONCLUSIONS = ['success', 'neutral', 'failure'] as const;

export const ciRunSchema = z.object({
  schema: z.literal(CI_SCHEMA),
  verdict: z.union([verdictSchema, z.literal('failed')]),
  /** What a person sees on the pull request. */
  conclusion: z.enum(CI_CONCLUSIONS),
  steps: z.array(ciStepSchema),
  policy: ciPolicySchema.optional(),
  check: checkReportSchema.optional(),
  failure: z
    .object({ kind: z.enum(FAILURE_KINDS), message: z.string(), hint: z.string().optional() })
    .optional(),
  /**
   * What the change alters about its own judge: oracles, tolerances, cases, thresholds; and what else a reader should
   * know of the gate: workflow files, the baseline file, waivers.
   */
  judge_changes: z.array(judgeChangeSchema),
  /** Who accepted it: the change was judged by its own judge. */
  judge_accepted: judgeAcceptanceSchema.optional(),
  /** Devices that the run had to wait for, and who had them. */
  waits: z.array(deviceWaitSchema.extend({ seconds: z.number().nonnegative() })).optional(),
  started_at: z.string(),
  pawl_version: z.string(),
});
export type CiRun = z.infer<typeof ciRunSchema>;

/** What a verdict means for the change: undecided is what the policy says it is, and never a success. */
export function conclusionOf(
  verdict: CiRun['verdict'],
  undecided: CiPolicy['undecided'],
): CiRun['conclusion'] {
  const result = verdict === 'failed' ? 'bad' : VERDICT[verdict].result;
  const conclusions = {
    good: 'success',
    undecided: undecided === 'pass' ? 'neutral' : 'failure',
    bad: 'failure',
  } as const;
  return conclusions[result];
}
