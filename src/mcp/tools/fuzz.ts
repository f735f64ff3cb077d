import { z } from 'zod';

import { defined } from '../../model/defined.ts';
import {
  fuzzedKernelSchema,
  fuzzFailureSchema,
  fuzzReportSchema,
  type FuzzedKernel,
} from '../../model/correctness/fuzz-report.ts';
import { casesField, runFields, variantField } from '../inputs.ts';
import { filesFromRoot } from '../inside-project.ts';
import { lines, list, paths, pick, text } from '../told.ts';
import { tool, workOf } from '../tool.ts';

const failureTold = z.object({
  ...pick(fuzzFailureSchema, 'detector', 'tensor', 'message', 'repeats'),
  /** The command that runs it again. */
  replay: text(1000),
  output: lines(10).optional(),
});

const kernelTold = z.object({
  ...pick(fuzzedKernelSchema, 'kernel', 'state', 'absence', 'stopped'),
  passed: z.int(),
  failed: z.int(),
  skipped: z.int(),
  failures: list(failureTold, 5, 'The report file has all failures.'),
});

export const fuzzTool = tool({
  name: 'pawl_fuzz',
  title: 'Look for wrong results',
  description:
    'Runs kernels against their oracles in many cases: earlier failures, declared cases and generated ones (ragged and prime sizes, huge and denormal values). Use it after changing a kernel and before measuring. A failure is shrunk and kept in the corpus. Returns the result, and for each kernel counts and failures, each with the command that replays it.',
  effect: 'works',
  input: z.strictObject({
    ...runFields,
    cases: casesField.describe('Only these declared cases; generate none.'),
    variant: variantField,
    count: z.int().min(0).max(100_000).optional().describe('Cases to generate per kernel (default 200).'),
    time_s: z.number().min(1).max(86_400).optional().describe('Stop after this long in total.'),
    matrix: z.boolean().optional().describe('Only the declared matrix.'),
    replay: z.string().max(2000).optional().describe('Only one case, as printed by a failure.'),
    sanitize: z
      .array(z.enum(['memcheck', 'racecheck', 'initcheck', 'synccheck', 'address', 'undefined']))
      .max(6)
      .optional()
      .describe('Sanitizers to run under; []: all that apply.'),
  }),
  output: z.object({
    ...pick(fuzzReportSchema, 'result', 'seed', 'incomplete'),
    kernels: list(kernelTold, 30, 'Name kernels in only.'),
    files: paths,
  }),
  async run(asked, call) {
    const { fuzz } = await import('../../workflows/runs/fuzz.ts');
    const { report, files } = await fuzz({ ...workOf(call), ...defined(asked) });
    const failed = report.kernels.filter(({ state }) => state === 'failed').length;
    return {
      summary: `Result: ${report.result}; ${failed} of ${report.kernels.length} kernels failed.`,
      value: {
        ...report,
        kernels: report.kernels.map(kernelValue),
        files: filesFromRoot(call.project.root, files),
      },
    };
  },
});

function kernelValue(kernel: FuzzedKernel) {
  const sum = (what: 'passed' | 'failed' | 'skipped') =>
    Object.values(kernel.counts).reduce((total, one) => total + one[what], 0);
  return { ...kernel, passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
}
