import { z } from 'zod';

import { defined } from '../../model/defined.ts';
import { confirmationSchema, studySchema, type Study } from '../../model/tune/study-report.ts';
import { budgetField, casesField, deviceFields, dryRunField, kernelField, modeField } from '../inputs.ts';
import { filesFromRoot, fromRoot } from '../inside-project.ts';
import { list, name, ownText, paths, pick, text } from '../told.ts';
import { tool, workOf, type Project } from '../tool.ts';

/** An assistant that says nothing should not lose an hour. */
const DEFAULT_BUDGET_S = 300;

const ALL = "The study's report has all.";

const studyTold = z.object({
  ...pick(studySchema, 'id', 'kernel', 'case', 'result', 'reason', 'default_ms', 'best', 'rejections'),
  confirmations: list(
    z.object(pick(confirmationSchema, 'variant', 'verdict', 'speedup', 'speedup_ci')),
    5,
    ALL,
  ),
  /** How many. */
  trials: z.int(),
  importance: list(z.object({ name, share: z.number() }), 10, ALL),
  wall_s: z.number(),
  files: paths,
});

export const tuneTool = tool({
  name: 'pawl_tune',
  title: 'Search the variants of a kernel',
  description: `Searches a kernel's tunables for a faster variant and confirms it against the default in fresh, interleaved processes: only that decides. Without trials and budget_s it takes about ${DEFAULT_BUDGET_S} seconds. A cancelled study can be resumed. pawl.yaml is not changed. Returns for each study its result, the best variant, confirmations with speed-ups, and which tunables matter.`,
  effect: 'works',
  input: z.strictObject({
    kernel: kernelField,
    cases: casesField.describe('One study each (default: the only case of the kernel).'),
    mode: modeField,
    sampler: z
      .string()
      .regex(/^[a-z][a-z0-9-]{0,40}$/)
      .optional()
      .describe('Search method, as `pawl tune --sampler`.'),
    trials: z.int().min(1).max(10_000).optional().describe('Variants to try.'),
    budget_s: budgetField,
    resume: z.boolean().optional().describe('Resume the latest study of each case.'),
    seed: z.int().min(0).max(2_147_483_647).optional(),
    ...deviceFields,
  }),
  output: z.object({
    studies: list(studyTold, 10, 'Name a case to tune for.'),
    advice: text().optional(),
  }),
  async run({ kernel, budget_s, resume, ...asked }, call) {
    const { tune } = await import('../../workflows/tune.ts');
    const limit_s = budget_s ?? (asked.trials === undefined ? DEFAULT_BUDGET_S : undefined);
    const { studies, dispatch } = await tune({
      ...workOf(call),
      kernel,
      ...defined({ ...asked, budget_s: limit_s }),
      ...(resume === true ? { resume: true as const } : {}),
    });
    return {
      summary: `${studies.length} studies: ${studies.map(({ result }) => result).join(', ') || 'none'}.`,
      value: {
        studies: studies.map((study) => studyValue(study, call.project)),
        advice: dispatch?.advice,
      },
    };
  },
});

function studyValue(study: Study, { root }: Project) {
  return {
    ...study,
    trials: study.trials.length,
    importance: study.importance?.parameters ?? [],
    wall_s: study.throughput.wall_s,
    files: filesFromRoot(root, study.files),
  };
}

export const tuneApplyTool = tool({
  name: 'pawl_tune_apply',
  title: 'Make a winner the default',
  description:
    "Writes a study's confirmed winner into pawl.yaml as the default; comments and formatting stay. Ask the user first. Returns the changes of defaults, and whether they were written.",
  effect: 'changes',
  isIdempotent: true,
  input: z.strictObject({
    study: z
      .string()
      .regex(/^[\w.-]{1,120}$/)
      .optional()
      .describe('Default: the latest study.'),
    dry_run: dryRunField,
  }),
  output: z.object({
    study: ownText,
    written: z.boolean(),
    changes: list(z.object({ tunable: name, from: text(), to: text() }), 50, 'See pawl.yaml.'),
    file: z.string(),
  }),
  async run({ study: id, dry_run: dryRun }, call) {
    const { applyStudy } = await import('../../workflows/tune.ts');
    const { study, changes, written, path } = await applyStudy({
      ...workOf(call),
      ...defined({ id, dryRun }),
    });
    return {
      summary: `${changes.length} defaults differ; ${written ? 'written' : 'nothing was written'}.`,
      value: {
        study: study.id,
        written,
        changes: changes.map(({ tunable, from, to }) => ({ tunable, from: String(from), to: String(to) })),
        file: fromRoot(call.project.root, path),
      },
    };
  },
});
