import { basename, dirname } from 'node:path';

import type { DraftFile, DraftTensor } from '../draft.ts';
import { pathFrom } from '../python/modules.ts';
import { toPython } from '../python/python-text.ts';
import type { StudiedSet } from '../python/task-study.ts';
import { TORCH_TYPES } from '../python/torch-types.ts';
import type { Parameters } from './task-cases.ts';
import { SOLUTION_FUNCTION, type TaskDraftRequest } from './task-draft-request.ts';
import type { Roles } from './task-tensors.ts';

/** The module by which Pawl calls the task, or a submission to it. */
export function wrapper(
  request: TaskDraftRequest,
  problem: string,
  { dims, choices }: Parameters,
  model: StudiedSet,
  { inPlace, results, returned }: Roles,
  path: string,
  solution: string | undefined,
  checker: string,
): DraftFile {
  const { file, task } = request;
  const files = {
    ...Object.fromEntries(
      Object.entries(task.modules).map(([name, source]) => [name, pathFrom(request, source)]),
    ),
    ...(solution !== undefined && { submission: pathFrom(request, solution) }),
  };
  const outputs = results.flatMap((at, index) => {
    if (at === null) return [];
    const { place, dtype } = model.outputs[index]!;
    return [TORCH_TYPES[place === null ? dtype : model.inputs[place]!.dtype]];
  });
  const inouts = model.inputs.flatMap(({ inout }, at) => (inout ? [at] : []));
  const out = inPlace.size > 0 ? ', out' : '';
  const call = (module: string, name: string): string => `

_${name} = task.function("${module}", "${name}")


def ${name}(*tensors${out}, **dims):
    return task.call(_${name}, tensors, dims${out})
`;
  const generate = `

def generate_input(seed, **dims):
    return task.generate(seed, dims)
`;
  return {
    path,
    text: `"""Written by \`pawl adopt\` from ${basename(dirname(file))}/${basename(file)}: how Pawl calls the task ${problem}."""

from pawl_suite import Task

framework = "torch"

task = Task(
    __file__,
    # Modules by the names that the task's files import them by.
    files=${toPython(files)},
    # Which dimension says a parameter of generate_input; those that are not whole numbers are chosen from a list.
    parameters=${toPython(dims)},
    choices=${toPython(choices)},
    # Tensors of \`data\` that are outputs, by their place in it, and which output each returned tensor is.
    in_place={${pairs(inPlace)}},
    results=${toPython(results)},${returned.size === 0 ? '' : `\n    # Results that are read and written tensors of \`data\`, and which.\n    returned={${pairs(returned)}},`}
    dtypes=${toPython(outputs)},${inouts.length === 0 ? '' : `\n    inouts=${toPython(inouts)},`}
)
${solution === undefined ? `${generate}${call('reference', 'ref_kernel')}${checker}` : call('submission', SOLUTION_FUNCTION)}`,
  };
}

function pairs(map: ReadonlyMap<number, number>): string {
  return [...map].map(([from, to]) => `${from}: ${to}`).join(', ');
}

/** The task's own judge, by the names of pawl.yaml. */
export function checkerText(tensors: readonly DraftTensor[]): string {
  const names = (role: string) => tensors.filter((one) => one.role === role).map(({ name }) => name);
  const [inputs, outputs] = [names('input'), names('output')];
  const all = [...inputs, ...outputs];
  return `

def is_right(${all.join(', ')}, **dims):
    tensors = {${all.map((name) => `"${name}": ${name}`).join(', ')}}
    return task.check(tensors, ${toPython(inputs)}, ${toPython(outputs)}, dims)
`;
}
