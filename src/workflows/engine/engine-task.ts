/** One cell of a benchmark matrix, as a job of a cluster runs it: read from a file, and written to one. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { z } from 'zod';

import { allocatedGpu } from '../../engine/allocated-gpu.ts';
import { STOPPING_RULES, type StoppingRuleName } from '../../measure/stopping-rules.ts';
import { CORRECTIONS } from '../../model/judge/comparison.ts';
import { defined } from '../../model/defined.ts';
import { modeSchema } from '../../model/measure/protocol.ts';
import { PawlError } from '../../model/pawl-error.ts';
import { variantSchema } from '../../model/problem/variant.ts';
import { bench } from '../runs/bench.ts';
import { compare } from '../runs/compare.ts';
import type { RunContext } from '../../os/run-context.ts';

/** What a job is told of what was asked for; what else was asked is for the command that started it. */
export const taskSettingsSchema = z.object({
  modes: z.array(modeSchema).optional(),
  processes: z.int().positive().optional(),
  samples: z.int().positive().optional(),
  warmup: z.int().nonnegative().optional(),
  stopping: z.enum(Object.keys(STOPPING_RULES) as StoppingRuleName[]).optional(),
  timing: z.enum(['blocked', 'plain']).optional(),
  timeout_s: z.number().positive().optional(),
  seed: z.string().optional(),
  variant: variantSchema.optional(),
  clocks: z.enum(['as-is', 'lock']).optional(),
  check: z.boolean().optional(),
  verified: z.boolean().optional(),
  history: z.boolean().optional(),
  /** Of a comparison. */
  budget_s: z.number().positive().optional(),
  control: z.boolean().optional(),
  measureIdentical: z.boolean().optional(),
  acceptJudgeChange: z.boolean().optional(),
  policy: z
    .object({
      regressionPct: z.number().optional(),
      improvementPct: z.number().optional(),
      correction: z.enum(CORRECTIONS).optional(),
    })
    .optional(),
});

const matrixSchema = z.object({
  schema: z.literal('pawl.matrix/1'),
  config: z.string(),
  settings: taskSettingsSchema,
  /** Two revisions, measured side by side in the same job; absent: the files as they are. */
  revisions: z.object({ base: z.string(), head: z.string() }).optional(),
  /** Of the whole matrix: each cell has its share, or many cells would err more often than one, unless that is wished. */
  false_alarm: z.number().positive(),
  cells: z.array(z.object({ kernel: z.string(), case: z.string() })).min(1),
});
export type Matrix = z.infer<typeof matrixSchema>;

export const MATRIX_FILE = 'matrix.json';

/** Where the result of a cell lies when it is there. A twin of the job writes the same file, whole, once more. */
export function resultPath(folder: string, { revisions }: Matrix, index: number): string {
  return revisions === undefined
    ? join(folder, 'results', `${index}.json`)
    : join(folder, 'results', String(index), 'report.json');
}

/** The other jobs of a matrix may share the machine. */
const WAIT_S = 3600;

export interface EngineTaskOptions extends Pick<RunContext, 'signal' | 'onProgress'> {
  readonly folder: string;
  readonly index: number;
}

export async function runEngineTask({ folder, index, signal, onProgress }: EngineTaskOptions): Promise<void> {
  const matrix = matrixSchema.parse(JSON.parse(await readFile(join(folder, MATRIX_FILE), 'utf8')));
  const cell = matrix.cells[index];
  if (cell === undefined) throw new PawlError('usage', `The matrix has no cell ${index}.`);
  const {
    settings: { policy, ...settings },
    config,
    revisions,
  } = matrix;
  const running = {
    ...defined(settings),
    config,
    only: [cell.kernel],
    cases: [cell.case],
    gpu: await allocatedGpu(process.env),
    wait_s: WAIT_S,
    signal,
    onProgress,
  };
  if (revisions === undefined) {
    await bench({ ...running, out: resultPath(folder, matrix, index) });
  } else {
    const share = policy?.correction === 'none' ? 1 : matrix.cells.length;
    const own = { ...defined({ ...policy }), falseAlarm: matrix.false_alarm / share };
    const out = join(folder, 'results', String(index));
    await compare({ what: 'revisions', ...revisions, ...running, policy: own, out });
  }
}
