import { basename, dirname } from 'node:path';

import type { AdoptCandidate, Assumption } from '../../model/adopt-report.ts';
import { PawlError } from '../../model/pawl-error.ts';
import { TORCH_TYPES } from '../python/torch-types.ts';
import type { Draft, DraftFile, DraftKernel, DraftTensor } from '../draft.ts';
import { pawlName } from '../pawl-name.ts';
import type { Looked } from '../python/inspection.ts';
import { pathFrom, problemOf, type Names } from '../python/modules.ts';
import { extentFormula, toleranceFormula } from './extents.ts';
import { toPython } from '../python/python-text.ts';
import { SUPPORT } from './support-file.ts';
import type { StudiedSet, TaskStudy } from '../python/task-study.ts';
import type { ParameterSet, ParameterValue, TaskFile } from './task-file.ts';

export interface TaskDraftRequest extends Names {
  /** task.yml. */
  readonly file: string;
  readonly task: TaskFile;
  readonly study: TaskStudy;
  readonly device: 'cpu' | 'cuda';
  readonly reference: Looked;
  readonly solution: { readonly file: string; readonly looked: Looked } | undefined;
  /** The text of `pawl_suite.py`. */
  readonly support: string;
}

export const SOLUTION_FUNCTION = 'custom_kernel';
/** What a case may take on a CPU to be measured there. */
export const QUICK_S = 0.05;
/** All inputs of a case on a GPU: Pawl holds several sets of them. */
const MOST_CUDA_BYTES = 2 ** 32;

interface CaseFound {
  readonly name: string;
  readonly dims: Readonly<Record<string, number>>;
  readonly set: StudiedSet;
}

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
    assumed: assumptions(request, cases, measured, left, parameters),
    missing: [],
  };
}

interface Parameters {
  /** The dimension of each parameter. */
  readonly dims: Readonly<Record<string, string>>;
  /** The values of those that are not whole numbers: their dimension is the place in this list. */
  readonly choices: Readonly<Record<string, readonly ParameterValue[]>>;
}

function parametersOf(sets: readonly ParameterSet[]): Parameters {
  const names = [...new Set(sets.flatMap((set) => Object.keys(set)))];
  const dims = Object.fromEntries(names.map((name) => [name, pawlName(name)]));
  const choices: Record<string, ParameterValue[]> = {};
  for (const name of names) {
    const values = sets.flatMap((set) => set[name] ?? []);
    const all = sets.map((set) => set[name]);
    if (all.every((value) => Number.isSafeInteger(value)) && values.length > 0) continue;
    const texts = [
      ...new Set(all.filter((value) => value !== undefined).map((value) => JSON.stringify(value))),
    ];
    choices[name] = texts.map((text) => JSON.parse(text) as ParameterValue);
    // false is 0 and true is 1, whichever comes first.
    if (choices[name].every((value) => typeof value === 'boolean')) choices[name] = [false, true];
  }
  return { dims, choices };
}

/** Cases whose tensors are like those of the first that is known. */
function casesOf(
  { task, study, file, device }: TaskDraftRequest,
  { dims, choices }: Parameters,
): { cases: CaseFound[]; model: StudiedSet; left: readonly string[] } {
  const entries = Object.entries(task.sets);
  const known = entries.flatMap(([name, parameters], at) => {
    const set = study.sets[at];
    const isWhole = Object.keys(dims).every((parameter) => parameter in parameters);
    return set?.ok === true && isWhole ? [{ name, parameters, set }] : [];
  });
  const model = known.find(({ set }) => set.call_s !== null) ?? known[0];
  if (model === undefined) {
    const message = study.sets.flatMap((set) => (set.ok ? [] : [set.message]))[0] ?? 'it did not answer';
    throw new PawlError('bad-data', `${basename(dirname(file))}: ${message}.`);
  }
  // On a GPU it may work anyway.
  if (device === 'cpu' && model.set.obstacle !== undefined) {
    throw new PawlError('bad-data', `${basename(dirname(file))}: ${model.set.obstacle}.`);
  }
  if (model.set.inputs.length === 0) {
    throw new PawlError(
      'bad-data',
      `${basename(dirname(file))}: generate_input does not return any tensors.`,
    );
  }
  const alike = known.filter(({ set }) => formOf(set) === formOf(model.set));
  const cases = alike.map(({ name, parameters, set }) => ({
    name,
    set,
    dims: Object.fromEntries(
      Object.entries(dims).map(([parameter, dim]) => {
        const value = parameters[parameter]!;
        const at = choices[parameter]?.findIndex(
          (choice) => JSON.stringify(choice) === JSON.stringify(value),
        );
        return [dim, at ?? Number(value)];
      }),
    ),
  }));
  const names = new Set(alike.map(({ name }) => name));
  return { cases, model: model.set, left: entries.map(([name]) => name).filter((name) => !names.has(name)) };
}

/** Types and axes: what cases of one problem have in common. */
function formOf({ inputs, outputs }: StudiedSet): string {
  return JSON.stringify([
    inputs.map(({ name, dtype, shape }) => [name, dtype, shape.length]),
    outputs.map(({ dtype, shape }) => [dtype, shape.length]),
  ]);
}

interface Roles {
  /** Inputs that are outputs, and which. */
  readonly inPlace: ReadonlyMap<number, number>;
  /** The output that each result is; null: an inout, which is compared in place. */
  readonly results: readonly (number | null)[];
}

function rolesOf({ inputs, outputs }: StudiedSet): Roles {
  const inPlace = new Map<number, number>();
  let count = 0;
  const results = outputs.map(({ place }) => {
    if (place !== null && inputs[place]?.inout === true) return null;
    const at = count++;
    if (place !== null) inPlace.set(place, at);
    return at;
  });
  return { inPlace, results };
}

/** Tensors with formulas for their extents, and dimensions for extents that no formula says. */
function tensorsOf(
  cases: readonly CaseFound[],
  model: StudiedSet,
  { inPlace, results }: Roles,
  { dims, choices }: Parameters,
): { tensors: DraftTensor[]; extra: Record<string, number>[] } {
  const extra: Record<string, number>[] = cases.map(() => ({}));
  const whole = new Set(
    Object.entries(dims)
      .filter(([name]) => choices[name] === undefined)
      .map(([, dim]) => dim),
  );
  const sizes = cases.map(({ dims: own }) =>
    Object.fromEntries(Object.entries(own).filter(([dim]) => whole.has(dim))),
  );
  const used = new Set(Object.values(dims));
  const shapeOf = (name: string, pick: (set: StudiedSet) => readonly number[]): string[] =>
    pick(model).map((_, axis) => {
      const extents = cases.map(({ set }) => pick(set)[axis]!);
      const formula = extentFormula(extents, sizes);
      if (formula !== undefined) return formula;
      const dim = freeName(`${name}_${axis}`, used);
      for (const [at, extent] of extents.entries()) extra[at]![dim] = extent;
      return dim;
    });
  const tensors: DraftTensor[] = [];
  for (const [at, { name, dtype, inout }] of model.inputs.entries()) {
    if (inPlace.has(at)) continue;
    const own = freeName(name, used);
    const shape = shapeOf(own, (set) => set.inputs[at]!.shape);
    tensors.push({ name: own, role: inout ? 'inout' : 'input', dtype, shape });
  }
  const places = new Map([...inPlace].map(([input, output]) => [output, input]));
  const outputs = model.outputs.filter((_, at) => results[at] !== null);
  for (const [at, { dtype, place }] of outputs.entries()) {
    const index = model.outputs.indexOf(outputs[at]!);
    const input = places.get(at);
    const named = input === undefined ? undefined : model.inputs[input]!;
    const name = freeName(named?.name ?? (outputs.length === 1 ? 'out' : `out_${at}`), used);
    const shape = shapeOf(name, (set) =>
      place === null ? set.outputs[index]!.shape : set.inputs[place]!.shape,
    );
    tensors.push({ name, role: 'output', dtype: named?.dtype ?? dtype, shape });
  }
  return { tensors, extra };
}

function freeName(name: string, used: Set<string>): string {
  let free = pawlName(name.replaceAll(/\W/gu, '_').replace(/^(?=\d)/u, 'data_'));
  while (used.has(free)) free = `${free}_`;
  used.add(free);
  return free;
}

/** What is measured on this machine. */
function measuredCases(cases: readonly CaseFound[], device: 'cpu' | 'cuda'): string[] {
  const fits = cases.filter(({ set }) =>
    device === 'cuda' ? set.bytes <= MOST_CUDA_BYTES : set.call_s !== null && set.call_s <= QUICK_S,
  );
  if (fits.length > 0) return fits.map(({ name }) => name);
  const [least] = cases.toSorted(
    (a, b) => (a.set.call_s ?? Infinity) - (b.set.call_s ?? Infinity) || a.set.bytes - b.set.bytes,
  );
  return least === undefined ? [] : [least.name];
}

function toleranceOf(cases: readonly CaseFound[], file: string): string {
  const task = basename(dirname(file));
  const seen = cases.flatMap(({ set, dims }) =>
    set.tolerance === null ? [] : [{ tolerance: set.tolerance, dims }],
  );
  const close = seen.flatMap(({ tolerance, dims }) =>
    tolerance.kind === 'close' ? [{ ...tolerance, dims }] : [],
  );
  if (close.length > 0) {
    const dims = close.map((one) => one.dims);
    const [atol, rtol] = [close.map((one) => one.atol), close.map((one) => one.rtol)];
    return `{ atol: ${toleranceFormula(atol, dims)}, rtol: ${toleranceFormula(rtol, dims)} }`;
  }
  const failed = seen.flatMap(({ tolerance }) => (tolerance.kind === 'failed' ? [tolerance.message] : []));
  if (failed[0] !== undefined) {
    throw new PawlError(
      'bad-data',
      `${task}: check_implementation rejects the reference's own result: ${failed[0]}.`,
    );
  }
  throw new PawlError(
    'bad-data',
    `${task}: Pawl could not find out what check_implementation compares the output with.`,
  );
}

function wrapper(
  request: TaskDraftRequest,
  problem: string,
  { dims, choices }: Parameters,
  model: StudiedSet,
  { inPlace, results }: Roles,
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
    in_place={${[...inPlace].map(([input, output]) => `${input}: ${output}`).join(', ')}},
    results=${toPython(results)},
    dtypes=${toPython(outputs)},${inouts.length === 0 ? '' : `\n    inouts=${toPython(inouts)},`}
)
${solution === undefined ? `${generate}${call('reference', 'ref_kernel')}${checker}` : call('submission', SOLUTION_FUNCTION)}`,
  };
}

/** The task's own judge, by the names of pawl.yaml. */
function checkerText(tensors: readonly DraftTensor[]): string {
  const names = (role: string) => tensors.filter((one) => one.role === role).map(({ name }) => name);
  const [inputs, outputs] = [names('input'), names('output')];
  const all = [...inputs, ...outputs];
  return `

def is_right(${all.join(', ')}, **dims):
    tensors = {${all.map((name) => `"${name}": ${name}`).join(', ')}}
    return task.check(tensors, ${toPython(inputs)}, ${toPython(outputs)}, dims)
`;
}

function candidatesOf({ functions }: Looked): AdoptCandidate[] {
  return functions.map(({ name, line, parameters }) => ({
    name,
    line,
    signature: `def ${name}(${parameters.map((one) => one.name).join(', ')})`,
  }));
}

function assumptions(
  { device, solution }: TaskDraftRequest,
  cases: readonly CaseFound[],
  measured: readonly string[],
  left: readonly string[],
  { choices }: Parameters,
): Assumption[] {
  const found: Assumption[] = [
    {
      about: 'oracle',
      text: "the oracle is the suite's ref_kernel, in its own precision",
    },
    {
      about: 'tolerance',
      text: 'outputs are compared with the tolerance of check_implementation, or by check_implementation itself',
    },
  ];
  const [choice] = Object.keys(choices);
  if (choice !== undefined) {
    found.push({
      about: 'sizes',
      text: `${Object.keys(choices).join(', ')}: each number in a case is an index, from 0, into the list of values in the file beside pawl.yaml`,
    });
  }
  if (device === 'cpu') {
    found.push({
      about: 'device',
      text: 'this machine has no GPU: what the files do on `cuda` is done on the CPU',
    });
  }
  if (measured.length < cases.length) {
    found.push({
      about: 'sizes',
      text: `measured here: ${measured.join(', ')}. The other ${cases.length - measured.length} cases are too large for this ${device === 'cpu' ? 'CPU' : 'GPU'}`,
    });
  }
  if (left.length > 0) {
    found.push({
      about: 'sizes',
      text: `left out: ${left.join(', ')}, whose tensors have other types, or whose shapes could not be seen in time`,
    });
  }
  if (solution?.looked.needs_gpu === true && device === 'cpu') {
    found.push({
      about: 'device',
      text: `${SOLUTION_FUNCTION} uses Triton or CUDA, and this machine has no GPU: it is measured only on machines with one`,
    });
  }
  return found;
}
