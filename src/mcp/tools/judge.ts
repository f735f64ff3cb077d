import { stat } from 'node:fs/promises';

import { z } from 'zod';

import { defined } from '../../model/defined.ts';
import { candidateNameSchema, judgementSchema, type JudgedCase } from '../../model/queue/judgement.ts';
import { PawlError } from '../../model/pawl-error.ts';
import { budgetField, fileField, kernelField, measuringFields } from '../inputs.ts';
import { insideProject } from '../inside-project.ts';
import { lines, list, pick, said, word, type Said } from '../told.ts';
import { tool, workOf, type Call } from '../tool.ts';

const { only: _, seed: __, ...measuring } = measuringFields;

const input = z.strictObject({
  problem: fileField.describe('Problem of pawl.yaml, or a file of the project that pawl adopt understands.'),
  files: z
    .record(candidateNameSchema, z.string().max(1_000_000))
    .optional()
    .describe("The candidate's sources by file name."),
  candidate: z.array(fileField).min(1).max(100).optional().describe('Or its files in the project.'),
  reference: kernelField.optional().describe('Kernel to measure against; default: the first of the problem.'),
  budget_s: budgetField,
  ...measuring,
});

const MOST_CASES = 10;
const caseTold = z.object({
  ...pick(
    judgementSchema.shape.cases.element,
    'case',
    'mode',
    'verdict',
    'reference_ms',
    'candidate_ms',
    'speedup',
    'processes',
  ),
  reason: said(),
});

export const judgeTool = tool({
  name: 'pawl_judge',
  title: 'Judge a candidate',
  description:
    "Builds a candidate for a problem from its sources (files, or candidate), compares it with the problem's oracle, checks it for cheating, and measures it beside the reference until the answer is clear. Use it to try code that is not in pawl.yaml. The project is not changed. Returns the verdict, whether it is correct, the speed-up with its interval, reward (the lower end of the interval, 0 unless correct), findings and, if it does not build, the compiler's errors.",
  effect: 'works',
  input,
  output: z.object({
    ...pick(judgementSchema, 'verdict', 'correct', 'speedup', 'reward', 'findings', 'cost'),
    reason: said(),
    cases: list(caseTold, MOST_CASES, '`pawl judge --json` prints all.'),
    protections: z.array(word),
    build_log: lines().optional(),
    output: lines(10).optional(),
  }),
  async run(asked, call) {
    const { judge } = await import('../../workflows/judge.ts');
    const { problem, files, candidate, ...options } = asked;
    if ((files === undefined) === (candidate === undefined)) {
      throw new PawlError('usage', 'Give either files or candidate.', 'Remove one of them.');
    }
    const { root } = call.project;
    const paths = candidate?.map((path) => insideProject(root, path)) ?? [];
    const sources = files ?? (await Promise.all(paths));
    const value = await judge(await problemOf(problem, call), sources, {
      ...workOf(call),
      ...defined(options),
    });
    const { verdict, correct, reward } = value;
    const right = correct ? 'It is right' : 'It is wrong, or a detector found something';
    return {
      summary: `Verdict: ${verdict}. ${right}; reward ${reward.toPrecision(4)}.`,
      value: {
        ...value,
        reason: saidOf(value.reason, correct && value.speedup !== undefined),
        cases: value.cases.map((one) =>
          Object.assign({}, one, { reason: saidOf(one.reason, wasTimed(one)) }),
        ),
      },
    };
  },
});

/** Of what was timed and is right only numbers are said; of a fault, what a compiler or a kernel said may be quoted. */
function saidOf(reason: string, isOwn: boolean): Said {
  return isOwn ? { own: reason } : reason;
}

function wasTimed({ verdict, candidate_ms }: JudgedCase): boolean {
  return verdict !== 'incorrect' && candidate_ms !== undefined;
}

/** A file as its path, which lies in the project; a name, which wins over a folder, as it is. */
async function problemOf(problem: string, { project: { root } }: Call): Promise<string> {
  const isName = /^[A-Za-z][\w.-]*$/u.test(problem);
  try {
    const path = await insideProject(root, problem);
    return isName && (await stat(path)).isDirectory() ? problem : path;
  } catch (error) {
    if (isName && error instanceof PawlError && error.kind === 'usage') return problem;
    throw error;
  }
}
