/** One cell of a benchmark matrix, as a job of a cluster runs it: read from a file, and written to one. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { z } from 'zod';

import { allocatedGpu } from '../../engine/allocated-gpu.ts';
import { modeSchema } from '../../model/protocol.ts';
import { PawlError } from '../../model/pawl-error.ts';
import { variantSchema } from '../../model/variant.ts';
import { bench } from '../runs/bench.ts';
import { compare } from '../runs/compare.ts';
import type { RunContext } from '../../os/run-context.ts';

const settingsSchema = z.object({
  modes: z.array(modeSchema).optional(),
  processes: z.int().positive().optional(),
  samples: z.int().positive().optional(),
  timeout_s: z.number().positive().optional(),
  variant: variantSchema.optional(),
  clocks: z.enum(['as-is', 'lock']).optional(),
  check: z.boolean().optional(),
  verified: z.boolean().optional(),
});

const matrixSchema = z.object({
  schema: z.literal('pawl.matrix/1'),
  config: z.string(),
  settings: settingsSchema,
  /** Two revisions, measured side by side in the same job; absent: the files as they are. */
  revisions: z.object({ base: z.string(), head: z.string() }).optional(),
  /** Of the whole matrix: each cell has its share, or many cells would err more often than one. */
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
  const { settings, config, revisions } = matrix;
  const running = {
    ...Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)),
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
    const policy = { falseAlarm: matrix.false_alarm / matrix.cells.length };
    const out = join(folder, 'results', String(index));
    await compare({ what: 'revisions', ...revisions, ...running, policy, out });
  }
}
