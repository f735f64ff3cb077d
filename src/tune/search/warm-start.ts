import { readFile } from 'node:fs/promises';

import { PawlError } from '../../model/pawl-error.ts';
import { studySchema } from '../../model/tune/study-report.ts';
import { measuredTrials } from '../../model/tune/measured-trials.ts';
import { variantText, type Variant } from '../../model/problem/variant.ts';

/** On most pairs of one vendor's GPUs the best of the other's top ten is within 5 % of the optimum. */
const TAKEN = 10;

/** The best variants of earlier studies, the studies taking turns: to be tried, not to be trusted. */
export async function warmStart(files: readonly string[]): Promise<Variant[]> {
  const lists = await Promise.all(files.map(bestOf));
  const variants = new Map<string, Variant>();
  for (let rank = 0; rank < TAKEN; rank++) {
    for (const list of lists) {
      const variant = list[rank];
      if (variant !== undefined) variants.set(variantText(variant), variant);
    }
  }
  return [...variants.values()];
}

async function bestOf(path: string): Promise<Variant[]> {
  const study = studySchema.safeParse(await readJson(path));
  if (!study.success) {
    throw new PawlError(
      'bad-data',
      `${path} is not a study.`,
      'Give a trials.json that pawl tune wrote (schema pawl.study/1).',
    );
  }
  const { result, best, trials } = study.data;
  const winner = result === 'improved' && best !== undefined ? [best.variant] : [];
  const measured = measuredTrials(trials).filter(({ trial }) => trial.same_binary_as === undefined);
  return [...winner, ...measured.map(({ trial }) => trial.variant)].slice(0, TAKEN);
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new PawlError('usage', `${path} cannot be read: ${code}.`);
  }
}
