import { z } from 'zod';

import { intervalSchema } from '../../model/comparison.ts';
import { defined } from '../../model/defined.ts';
import { STUDY_RESULTS, type Confirmation, type Study } from '../../model/study-report.ts';
import { variantText, type Variant } from '../../model/variant.ts';
import { cutList, listSchema } from '../bounded.ts';
import { casesField, gpuField, kernelField, modeField, waitField } from '../inputs.ts';
import { fromRoot } from '../inside-project.ts';
import { tool } from '../tool.ts';
import { nameOf, nameSchema, own, untrusted, untrustedSchema } from '../untrusted.ts';

/** An assistant that says nothing should not lose an hour. */
const DEFAULT_BUDGET_S = 300;

const studyId = z
  .string()
  .regex(/^[\w.-]{1,120}$/)
  .optional()
  .describe('Default: the latest study.');

const studyOutput = z.object({
  id: z.string(),
  kernel: nameSchema,
  case: nameSchema,
  result: z.enum(STUDY_RESULTS),
  reason: untrustedSchema,
  default_ms: z.number().optional(),
  best: z.object({ variant: untrustedSchema, time_ms: z.number() }).optional(),
  confirmations: listSchema(
    z.object({
      variant: untrustedSchema,
      verdict: z.string(),
      speedup: z.number().optional(),
      speedup_ci: intervalSchema.optional(),
    }),
  ),
  trials: z.int(),
  rejections: z.record(z.string(), z.int()),
  importance: listSchema(z.object({ tunable: nameSchema, share: z.number() })),
  wall_s: z.number(),
  files: z.record(z.string(), z.string()),
});

export const tuneTool = tool({
  name: 'pawl_tune',
  title: 'Search the variants of a kernel',
  description: `Searches a kernel's tunables for a faster variant and confirms it against the default in fresh, interleaved processes: only that decides. Without trials and budget_s it takes about ${DEFAULT_BUDGET_S} seconds. A cancelled study can be resumed. pawl.yaml is not changed.`,
  effect: 'works',
  input: z.strictObject({
    kernel: kernelField,
    cases: casesField.describe('A study for each (default: the only case of the kernel).'),
    mode: modeField,
    sampler: z
      .string()
      .regex(/^[a-z][a-z0-9-]{0,40}$/)
      .optional(),
    trials: z.int().min(1).max(10_000).optional(),
    budget_s: z.number().min(10).max(86_400).optional(),
    resume: z.boolean().optional().describe('Go on with the latest study of each case.'),
    seed: z.int().min(0).max(2_147_483_647).optional(),
    gpu: gpuField,
    wait_s: waitField,
  }),
  output: z.object({ studies: listSchema(studyOutput), advice: untrustedSchema.optional() }),
  async run(
    { kernel, cases, mode, sampler, trials, budget_s, resume, seed, gpu, wait_s },
    { project, signal, onProgress, now },
  ) {
    const { tune } = await import('../../workflows/tune.ts');
    const limit_s = budget_s ?? (trials === undefined ? DEFAULT_BUDGET_S : undefined);
    const { studies, dispatch } = await tune({
      config: project.config,
      kernel,
      ...defined({ cases, mode, sampler, trials, budget_s: limit_s, seed, gpu }),
      ...(resume === true ? { resume: true as const } : {}),
      wait_s,
      signal,
      onProgress,
      now,
    });
    return {
      summary: `${studies.length} studies: ${studies.map(({ result }) => result).join(', ') || 'none'}.`,
      value: {
        studies: cutList(
          studies.map((study) => studyValue(study, project.root)),
          10,
          'Name a case to tune for.',
        ),
        ...(dispatch === undefined ? {} : { advice: untrusted(dispatch.advice) }),
      },
    };
  },
});

export const tuneApplyTool = tool({
  name: 'pawl_tune_apply',
  title: 'Make a winner the default',
  description:
    "Writes a study's confirmed winner into pawl.yaml as the default; comments and formatting stay. dry_run shows what would change. Ask the user first.",
  effect: 'changes',
  isIdempotent: true,
  input: z.strictObject({ study: studyId, dry_run: z.boolean().optional() }),
  output: z.object({
    study: z.string(),
    written: z.boolean(),
    changes: listSchema(z.object({ tunable: nameSchema, from: untrustedSchema, to: untrustedSchema })),
    file: z.string(),
  }),
  async run({ study: id, dry_run: dryRun }, { project, now }) {
    const { applyStudy } = await import('../../workflows/tune.ts');
    const applied = await applyStudy({ config: project.config, ...defined({ id, dryRun }), now });
    return {
      summary: `${applied.changes.length} defaults differ; ${applied.written ? 'written' : 'nothing was written'}.`,
      value: {
        study: own(applied.study.id),
        written: applied.written,
        changes: cutList(
          applied.changes.map(({ tunable, from, to }) => ({
            tunable: nameOf(tunable),
            from: untrusted(String(from)),
            to: untrusted(String(to)),
          })),
          50,
          'See pawl.yaml.',
        ),
        file: fromRoot(project.root, applied.path),
      },
    };
  },
});

function studyValue(study: Study, root: string): z.input<typeof studyOutput> {
  const { best, default_ms, confirmations, importance } = study;
  return {
    id: own(study.id),
    kernel: nameOf(study.kernel),
    case: nameOf(study.case),
    result: study.result,
    reason: untrusted(study.reason),
    ...(default_ms === undefined ? {} : { default_ms }),
    ...(best === undefined ? {} : { best: { variant: settings(best.variant), time_ms: best.time_ms } }),
    confirmations: cutList(confirmations.map(confirmationValue), 5, "The study's report has all."),
    trials: study.trials.length,
    rejections: { ...study.rejections },
    importance: cutList(
      (importance?.parameters ?? []).map(({ name, share }) => ({ tunable: nameOf(name), share })),
      10,
      "The study's report has all.",
    ),
    wall_s: study.throughput.wall_s,
    files: Object.fromEntries(
      Object.entries(study.files).map(([what, path]) => [own(what), fromRoot(root, path)]),
    ),
  };
}

function confirmationValue({ variant, verdict, speedup, speedup_ci }: Confirmation) {
  return { variant: settings(variant), verdict, ...defined({ speedup, speedup_ci }) };
}

function settings(variant: Variant) {
  return untrusted(variantText(variant));
}
