import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';

import { fileFailure } from '../../model/file-failure.ts';
import { PawlError } from '../../model/pawl-error.ts';
import type { Draft } from '../draft.ts';
import type { Inspector } from '../python/inspect.ts';
import { draftTask, QUICK_S, SOLUTION_FUNCTION } from './draft-task.ts';
import { supportText } from './support-file.ts';
import { parseTask } from './task-file.ts';

export interface SuiteRequest {
  readonly file: string;
  readonly out: string | undefined;
  readonly solution: string | undefined;
  readonly workload: string | undefined;
  readonly device: 'cpu' | 'cuda';
  readonly sizes: Readonly<Record<string, number>>;
}

/** A task.yml of GPU MODE, the files that it names, and where there is one a submission. */
export async function adoptTask(request: SuiteRequest, inspector: Inspector): Promise<Draft> {
  const { file, out, device } = request;
  const task = parseTask(await textOf(file), file);
  const reference = task.modules['reference'];
  if (reference === undefined) {
    throw new PawlError('bad-data', `${file} names no reference.py, which tasks of this form have.`);
  }
  const looked = await inspector.look(reference);
  const solution = request.solution && {
    file: request.solution,
    looked: await inspector.look(request.solution),
  };
  if (solution && !solution.looked.functions.some(({ name }) => name === SOLUTION_FUNCTION)) {
    throw new PawlError('bad-data', `${basename(solution.file)} has no function ${SOLUTION_FUNCTION}.`);
  }
  const study = await inspector.task(file, {
    files: task.modules,
    sets: Object.values(task.sets),
    computes: device === 'cpu',
    quick_s: QUICK_S,
  });
  const support = await supportText();
  return draftTask({
    file,
    out,
    task,
    study,
    device,
    reference: looked,
    solution: solution === '' ? undefined : solution,
    support,
  });
}

export async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw fileFailure(error) ?? error;
  }
}
