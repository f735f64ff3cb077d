import { z } from 'zod';

import { defined } from '../../model/defined.ts';
import { caseField, gpuField, kernelField, modeField, revisionField } from '../inputs.ts';
import { timeoutField, variantField, waitField } from '../inputs.ts';
import { cutList, listSchema } from '../bounded.ts';
import { fromRoot } from '../inside-project.ts';
import { tool } from '../tool.ts';
import { nameOf, nameSchema, own, untrusted, untrustedSchema } from '../untrusted.ts';
import { diagnosisOutput, diagnosisSummary, diagnosisValue } from './diagnosis-value.ts';

export const profileTool = tool({
  name: 'pawl_profile',
  title: 'Profile a kernel',
  description:
    'Runs one case under Nsight Compute (CUDA) or perf (CPU), says what limits it and, with base, what changed since that commit. Where there is no profiler, skipped says why and how to get one. Profile before optimising.',
  effect: 'works',
  input: z.strictObject({
    kernel: kernelField,
    case: caseField.optional(),
    variant: variantField,
    base: revisionField.optional().describe('Profile this commit, branch or tag too, and compare.'),
    mode: modeField,
    set: z.enum(['full', 'fast']).default('full').describe('fast: only what the rules read.'),
    timeout_s: timeoutField,
    gpu: gpuField,
    wait_s: waitField,
  }),
  output: diagnosisOutput.extend({
    kernel: nameSchema,
    case: nameSchema,
    skipped: z.object({ reason: z.string(), message: untrustedSchema, remedy: untrustedSchema }).optional(),
    summary: untrustedSchema.optional(),
    counters: listSchema(z.object({ name: z.string(), per_call: z.number() })),
    roofline: z
      .object({
        time_ms: z.number(),
        floor_ms: z.number(),
        bound: z.enum(['memory', 'compute']),
        of_ceiling_pct: z.number(),
        advice: untrustedSchema.optional(),
      })
      .optional(),
    folder: z.string().optional(),
  }),
  async run(
    { kernel, case: name, variant, base, mode, set, timeout_s, gpu, wait_s },
    { project, signal, onProgress, env, now },
  ) {
    const { profileKernel } = await import('../../workflows/profile.ts');
    const report = await profileKernel({
      config: project.config,
      kernel,
      set,
      ...defined({ case: name, variant, base, mode, timeout_s, gpu }),
      wait_s,
      signal,
      onProgress,
      env,
      now,
    });
    const { head, skipped, summary, comparisons, folder } = report;
    const diagnosis = { kernels: head?.diagnosis?.kernels ?? [], comparisons: comparisons ?? [] };
    const roofline = head?.roofline;
    return {
      summary: skipped === undefined ? diagnosisSummary(diagnosis) : `No profile: ${skipped.reason}.`,
      value: {
        ...diagnosisValue({ ...diagnosis, problems: head?.diagnosis?.problems ?? [] }),
        kernel: nameOf(report.kernel),
        case: nameOf(report.case),
        ...(skipped === undefined
          ? {}
          : {
              skipped: {
                reason: skipped.reason,
                message: untrusted(skipped.message),
                remedy: untrusted(skipped.remedy),
              },
            }),
        ...(summary === undefined ? {} : { summary: untrusted(summary) }),
        counters: cutList(
          (head?.counters ?? []).map((one) => ({ name: own(one.name), per_call: one.per_call })),
          30,
          'profile.json in the folder has all.',
        ),
        ...(roofline === undefined
          ? {}
          : {
              roofline: {
                time_ms: roofline.time_ms,
                floor_ms: roofline.floor_ms,
                bound: roofline.bound,
                of_ceiling_pct: roofline.of_ceiling_pct,
                ...(roofline.advice === undefined ? {} : { advice: untrusted(roofline.advice) }),
              },
            }),
        ...(folder === undefined ? {} : { folder: fromRoot(project.root, folder) }),
      },
    };
  },
});
