import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';

import { fileFailure } from '../../model/file-failure.ts';
import { PawlError } from '../../model/pawl-error.ts';
import type { Draft } from '../draft.ts';
import type { Inspector } from '../python/inspect.ts';
import type { Looked } from '../python/inspection.ts';
import { draftTask } from './draft-task.ts';
import { QUICK_S } from './task-cases.ts';
import { PART, partsOf, SOLUTION_FUNCTION } from './task-draft-request.ts';
import { supportText } from './support-file.ts';
import type { TaskStudy } from '../python/task-study.ts';
import { parseTask, type TaskFile } from './task-file.ts';

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
    throw new PawlError('bad-data', `${file} does not name reference.py, which a task must have.`);
  }
  const looked = await inspector.look(reference);
  const solution = request.solution && {
    file: request.solution,
    looked: await inspector.look(request.solution),
  };
  if (
    solution &&
    !solution.looked.functions.some(({ name }) => name === SOLUTION_FUNCTION) &&
    // `custom_kernel = torch.compile(…)` is one, too.
    !solution.looked.names.includes(SOLUTION_FUNCTION) &&
    !isInParts(looked, solution.looked)
  ) {
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
    task: { ...task, sets: completed(task.sets, study.defaults) },
    study,
    device,
    reference: looked,
    solution: solution === '' ? undefined : solution,
    support,
  });
}

/** `reference_forward` and others, and a function `…_forward` for each of them. */
function isInParts(reference: Looked, solution: Looked): boolean {
  const ends = partsOf(reference).map((name) => name.slice(PART.length - 1));
  return ends.length > 0 && ends.every((end) => solution.functions.some(({ name }) => name.endsWith(end)));
}

/** Each set with the parameters that others name: by then they have their defaults. */
function completed(sets: TaskFile['sets'], defaults: TaskStudy['defaults']): TaskFile['sets'] {
  const named = Object.values(sets).flatMap((set) => Object.keys(set));
  const missing = Object.entries(defaults).filter(([name]) => named.includes(name));
  return Object.fromEntries(
    Object.entries(sets).map(([name, set]) => [
      name,
      { ...set, ...Object.fromEntries(missing.filter(([one]) => !(one in set))) },
    ]),
  );
}

export async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw fileFailure(error) ?? error;
  }
}
