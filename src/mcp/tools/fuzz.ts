import { z } from 'zod';

import { defined } from '../../model/defined.ts';
import type { FuzzedKernel } from '../../model/fuzz-report.ts';
import { cutList, listSchema } from '../bounded.ts';
import {
  casesField,
  gpuField,
  onlyField,
  seedField,
  timeoutField,
  variantField,
  waitField,
} from '../inputs.ts';
import { fromRoot } from '../inside-project.ts';
import { tool } from '../tool.ts';
import { nameOf, nameSchema, own, untrusted, untrustedLines, untrustedSchema } from '../untrusted.ts';

export const fuzzTool = tool({
  name: 'pawl_fuzz',
  title: 'Look for wrong results',
  description:
    'Runs kernels against their oracles in many cases: those that once failed, the declared ones, and generated ones (ragged and prime sizes, huge and denormal values). A failure is made small and kept in the corpus. Use it after changing a kernel and before measuring.',
  effect: 'works',
  input: z.strictObject({
    only: onlyField,
    cases: casesField.describe('Run these declared cases only, and generate none.'),
    variant: variantField,
    count: z.int().min(0).max(100_000).optional().describe('Cases to generate a kernel (default 200).'),
    time_s: z.number().min(1).max(86_400).optional().describe('Stop after this long, all kernels together.'),
    matrix: z.boolean().optional().describe('The declared matrix only.'),
    replay: z.string().max(2000).optional().describe('One case only, as a failure printed it.'),
    sanitize: z
      .array(z.enum(['memcheck', 'racecheck', 'initcheck', 'synccheck', 'address', 'undefined']))
      .max(6)
      .optional()
      .describe('Run under these sanitizers; an empty list: all that apply.'),
    seed: seedField,
    timeout_s: timeoutField,
    gpu: gpuField,
    wait_s: waitField,
  }),
  output: z.object({
    result: z.enum(['passed', 'failed', 'undecided']),
    seed: z.string(),
    incomplete: untrustedSchema.optional(),
    kernels: listSchema(
      z.object({
        kernel: nameSchema,
        state: z.enum(['passed', 'failed', 'absent']),
        passed: z.int(),
        failed: z.int(),
        skipped: z.int(),
        absence: untrustedSchema.optional(),
        stopped: untrustedSchema.optional(),
        failures: listSchema(
          z.object({
            detector: z.string(),
            tensor: nameSchema.optional(),
            message: untrustedSchema,
            replay: untrustedSchema.describe('The command that runs it again.'),
            output: untrustedSchema.optional(),
            repeats: z.int(),
          }),
        ),
      }),
    ),
    files: z.record(z.string(), z.string()),
  }),
  async run(
    { only, cases, variant, count, time_s, matrix, replay, sanitize, seed, timeout_s, gpu, wait_s },
    { project, signal, onProgress, now },
  ) {
    const { fuzz } = await import('../../workflows/fuzz.ts');
    const { report, files } = await fuzz({
      config: project.config,
      ...defined({ only, cases, variant, count, time_s, matrix, replay, sanitize, seed, timeout_s, gpu }),
      wait_s,
      signal,
      onProgress,
      now,
    });
    const failed = report.kernels.filter(({ state }) => state === 'failed').length;
    return {
      summary: `Result: ${report.result}; ${failed} of ${report.kernels.length} kernels failed.`,
      value: {
        result: report.result,
        seed: own(report.seed),
        ...(report.incomplete === undefined ? {} : { incomplete: untrusted(report.incomplete) }),
        kernels: cutList(report.kernels.map(kernelValue), 30, 'Name kernels in only.'),
        files: Object.fromEntries(
          Object.entries(files).map(([what, path]: [string, string]) => [what, fromRoot(project.root, path)]),
        ),
      },
    };
  },
});

function kernelValue({ kernel, state, counts, failures, absence, stopped }: FuzzedKernel) {
  const sum = (what: 'passed' | 'failed' | 'skipped') =>
    Object.values(counts).reduce((total, one) => total + one[what], 0);
  return {
    kernel: nameOf(kernel),
    state,
    passed: sum('passed'),
    failed: sum('failed'),
    skipped: sum('skipped'),
    ...(absence === undefined ? {} : { absence: untrusted(absence.message) }),
    ...(stopped === undefined ? {} : { stopped: untrusted(stopped) }),
    failures: cutList(
      failures.map(({ detector, tensor, message, replay, output, repeats }) => ({
        detector: own(detector),
        ...(tensor === undefined ? {} : { tensor: nameOf(tensor) }),
        message: untrusted(message),
        replay: untrusted(replay, 1000),
        ...(output === undefined ? {} : { output: untrustedLines(output, 10) }),
        repeats,
      })),
      5,
      'The report file has all failures.',
    ),
  };
}
