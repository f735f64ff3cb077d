import { z } from 'zod';

import { defined } from '../../model/defined.ts';
import type { Finding } from '../../model/profile/diagnosis.ts';
import { counterSchema, profileReportSchema, rooflineSchema } from '../../model/profile/profile-report.ts';
import { profilingFields, revisionField } from '../inputs.ts';
import { fromRoot } from '../inside-project.ts';
import { list, ownText, pick } from '../told.ts';
import { tool, workOf } from '../tool.ts';
import { findingsTold, diagnosisSummary, diagnosisTold, diagnosisValue } from './diagnosis-told.ts';

export const profileTool = tool({
  name: 'pawl_profile',
  title: 'Profile a kernel',
  description:
    'Runs one case under Nsight Compute (CUDA) or perf (CPU). Profile before optimising. Returns what limits it, findings with fixes in order of expected gain, counters, its place under the roofline and, with base, what changed since that commit; code_findings of the compiled code of a CPU kernel, which need no profiler; skipped says why there is no profile.',
  effect: 'works',
  input: z.strictObject({
    ...profilingFields,
    base: revisionField.optional().describe('Also profile this commit, branch or tag, and compare.'),
    set: z.enum(['full', 'fast']).default('full').describe('fast: only what the rules need.'),
  }),
  output: z.object({
    ...diagnosisTold,
    ...pick(profileReportSchema, 'kernel', 'case', 'skipped', 'summary'),
    counters: list(
      z.object({ ...pick(counterSchema, 'per_call'), name: ownText }),
      30,
      'profile.json in the folder has all.',
    ),
    code_findings: findingsTold,
    roofline: z
      .object(pick(rooflineSchema, 'time_ms', 'floor_ms', 'bound', 'of_ceiling_pct', 'advice'))
      .optional(),
    folder: z.string().optional(),
  }),
  async run({ kernel, ...asked }, call) {
    const { profileKernel } = await import('../../workflows/runs/profile.ts');
    const report = await profileKernel({ ...workOf(call), kernel, ...defined(asked) });
    const { head, skipped, folder } = report;
    const found = report.code?.findings ?? [];
    const diagnosis = { ...head?.diagnosis, comparisons: report.comparisons ?? [] };
    return {
      summary: `${skipped === undefined ? diagnosisSummary(diagnosis) : `No profile: ${skipped.reason}.`}${codeSentence(found)}`,
      value: {
        ...report,
        ...diagnosisValue(diagnosis),
        counters: head?.counters ?? [],
        code_findings: found,
        roofline: head?.roofline,
        folder: folder === undefined ? undefined : fromRoot(call.project.root, folder),
      },
    };
  },
});

function codeSentence(findings: readonly Finding[]): string {
  if (findings.length === 0) return '';
  return ` The compiled code shows: ${findings.map(({ rule }) => rule).join(', ')}.`;
}
