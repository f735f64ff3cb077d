import { basename, dirname } from 'node:path';

import type { AdoptCandidate } from '../../model/reports/adopt-report.ts';
import { PawlError } from '../../model/pawl-error.ts';
import type { Draft, DraftKernel } from '../draft.ts';
import type { Looked } from '../python/inspection.ts';
import { problemOf } from '../python/modules.ts';
import { SUPPORT } from './support-file.ts';
import { taskAssumptions } from './task-assumptions.ts';
import { casesOf, measuredCases, parametersOf, toleranceOf } from './task-cases.ts';
import { SOLUTION_FUNCTION, type TaskDraftRequest } from './task-draft-request.ts';
import { rolesOf, tensorsOf } from './task-tensors.ts';
import { checkerText, wrapper } from './task-wrapper.ts';

/** A task of GPU MODE as a project. */
export function draftTask(request: TaskDraftRequest): Draft {
  const { file, task, device, solution } = request;
  const problem = problemOf(basename(dirname(file)));
  const parameters = parametersOf(Object.values(task.sets));
  const { cases, model, left } = casesOf(request, parameters);
  const roles = rolesOf(model);
  const { tensors, extra } = tensorsOf(cases, model, roles, parameters);
  const dims = [...Object.values(parameters.dims), ...Object.keys(extra[0] ?? {})];
  const isProperty = cases.some(({ set }) => set.tolerance?.kind === 'property');
  if (isProperty && roles.inPlace.size > 0) {
    throw new PawlError(
      'bad-data',
      `${problem}: its checker tests properties of outputs that are written in place, which Pawl does not support.`,
    );
  }
  const module = `pawl_${problem}.py`;
  const mine = solution && `pawl_${problem}_mine.py`;
  const measured = measuredCases(cases, device);
  const isForGpu = solution?.looked.needs_gpu === true;
  const kernel = (name: string, from: string, what: string, on: 'cpu' | 'cuda'): DraftKernel => ({
    name,
    lines: [
      { key: 'problem', value: problem },
      { key: 'device', value: on },
      { key: 'language', value: 'python' },
      { key: 'module', value: from },
      { key: 'function', value: what },
      ...(measured.length === cases.length || on !== device
        ? []
        : [{ key: 'cases', value: `[${measured.join(', ')}]` }]),
    ],
  });
  return {
    entrance: 'gpumode',
    candidates: candidatesOf(request.reference),
    adopted: 'ref_kernel',
    problem,
    dims,
    tensors,
    lines: [
      {
        key: 'generator',
        value: `{ module: ${module}, function: generate_input }`,
        comment: "the task's own, with new seeds",
      },
      ...(isProperty
        ? [
            {
              key: 'checker',
              value: `{ module: ${module}, function: is_right }`,
              comment: 'check_implementation',
            },
          ]
        : [
            {
              key: 'oracle',
              value: `{ module: ${module}, function: ref_kernel, precision: own }`,
              comment: 'as the suite has it',
            },
            { key: 'tolerance', value: toleranceOf(cases, file), comment: 'that of check_implementation' },
          ]),
    ],
    cases: Object.fromEntries(cases.map(({ name, dims: own }, at) => [name, { ...own, ...extra[at] }])),
    caseComments: {},
    kernels: [
      kernel('reference', module, 'ref_kernel', device),
      ...(mine === undefined ? [] : [kernel('mine', mine, SOLUTION_FUNCTION, isForGpu ? 'cuda' : device)]),
    ],
    device,
    files: [
      wrapper(
        request,
        problem,
        parameters,
        model,
        roles,
        module,
        undefined,
        isProperty ? checkerText(tensors) : '',
      ),
      ...(mine === undefined
        ? []
        : [wrapper(request, problem, parameters, model, roles, mine, solution?.file, '')]),
      { path: SUPPORT, text: request.support },
    ],
    assumed: taskAssumptions(request, cases, measured, left, parameters),
    missing: [],
  };
}

function candidatesOf({ functions }: Looked): AdoptCandidate[] {
  return functions.map(({ name, line, parameters }) => ({
    name,
    line,
    signature: `def ${name}(${parameters.map((one) => one.name).join(', ')})`,
  }));
}
