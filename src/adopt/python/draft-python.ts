import { basename } from 'node:path';

import type { AdoptCandidate } from '../../model/reports/adopt-report.ts';
import { PawlError } from '../../model/pawl-error.ts';
import type { Draft } from '../draft.ts';
import { draftFunction, tensorsOfStudy } from './draft-function.ts';
import { draftKernelBench, MODEL, SOLUTION } from './draft-kernelbench.ts';
import { draftModule, type ClassFound } from './draft-module.ts';
import { draftTriton } from './draft-triton.ts';
import type { Inspector } from './inspect.ts';
import type { Looked } from './inspection.ts';
import type { PythonRequest } from './python-request.ts';
import { copiesOf } from './read-modules.ts';
import { studyFile } from './study.ts';
import { studyTold } from './study-told.ts';
import { OUT, toldTensors } from './told-tensors.ts';

type FunctionFound = Looked['functions'][number];

/** A Python file as a project: a problem in KernelBench's form, or a function. */
export async function draftPython(request: PythonRequest, inspector: Inspector): Promise<Draft> {
  const looked = await inspector.look(request.file);
  const makesInputs = looked.functions.some(({ name }) => name === 'get_inputs');
  const isProblem = makesInputs && looked.classes.some(({ name }) => name === MODEL);
  if (isProblem && (request.class ?? request.function ?? MODEL) === MODEL) {
    return problemDraft(request, looked, inspector);
  }
  if (request.solution === undefined && request.class === undefined && launchesTriton(looked, request)) {
    return draftTriton(request, looked, looked.triton!, inspector);
  }
  if (request.solution !== undefined) {
    throw new PawlError(
      'usage',
      `${basename(request.file)} does not define ${MODEL} and get_inputs, which --candidate needs.`,
    );
  }
  const module = chooseModule(looked, request);
  if (module !== undefined) return moduleDraft(request, looked, module, inspector);
  return functionDraft(request, looked, chooseFunction(looked, request), makesInputs, inspector);
}

/** What is asked for launches Triton kernels, or the file's functions do. */
function launchesTriton({ triton }: Looked, { function: named, file }: PythonRequest): boolean {
  if (triton === null || triton.kernels.length === 0) return false;
  if (named !== undefined) return triton.hosts.some(({ name }) => name === named);
  if (triton.hosts.length > 0) return true;
  throw new PawlError(
    'bad-data',
    `${basename(file)} has Triton kernels but no function that launches them.`,
    'Write a function that takes tensors, launches the kernels and returns the result, and adopt that.',
  );
}

async function problemDraft(request: PythonRequest, looked: Looked, inspector: Inspector): Promise<Draft> {
  const { file, device } = request;
  const solution = await solutionOf(request, looked, inspector);
  const study = await studyFile({ file, function: MODEL, framework: 'torch' }, looked, inspector, device);
  return draftKernelBench({ ...request, looked, study, solution });
}

/** Never imported here: it may take a minute to compile, and need a GPU. */
async function solutionOf(
  { file, solution }: PythonRequest,
  looked: Looked,
  inspector: Inspector,
): Promise<{ file: string; looked: Looked } | undefined> {
  const there = solution === undefined ? looked : await inspector.look(solution);
  if (there.classes.some(({ name }) => name === SOLUTION)) return { file: solution ?? file, looked: there };
  if (solution === undefined) return undefined;
  throw new PawlError('bad-data', `${basename(solution)} has no class ${SOLUTION}.`);
}

async function functionDraft(
  request: PythonRequest,
  looked: Looked,
  found: FunctionFound,
  hasInputs: boolean,
  inspector: Inspector,
): Promise<Draft> {
  const { file, shapes } = request;
  const usesTorch = looked.imports.some((name) => ['torch', 'triton'].includes(name.split('.')[0]!));
  const framework = usesTorch ? 'torch' : 'numpy';
  const device = framework === 'numpy' ? 'cpu' : looked.needs_gpu ? 'cuda' : request.device;
  const inspected = { file, function: found.name, framework } as const;
  const makesInputs = hasInputs && Object.keys(shapes).length === 0;
  const copies = request.oracle === undefined ? await copiesOf(file, looked, 'oracle', inspector) : [];
  const common = {
    ...request,
    candidates: candidatesOf(looked),
    function: found,
    device,
    copies,
    told: request.sizes,
  } as const;
  if (makesInputs) {
    // As it is: a function's file has no second one beside it that would set its constants.
    const study = await studyFile(inspected, { constants: {} }, inspector, device);
    const tensors = tensorsOfStudy(study, found.parameters);
    const { versions } = study;
    return draftFunction({
      ...common,
      makesInputs,
      seesOutputs: true,
      tensors,
      dims: [],
      sizes: {},
      versions,
    });
  }
  const told = toldTensors(found, shapes, request, device);
  const isComplete = told.inputs.every(({ shape }) => shape !== undefined);
  // Where it writes into `out`, or needs a GPU, what it makes has to be told.
  const isTold =
    looked.needs_gpu ||
    request.inout.length > 0 ||
    found.parameters.some(({ name }) => name === OUT) ||
    told.outputs.some(({ shape }) => shape !== undefined);
  const { outputs, versions } =
    isTold || !isComplete
      ? { outputs: told.outputs, versions: {} }
      : await studyTold(inspected, found, told, inspector);
  return draftFunction({
    ...common,
    makesInputs,
    seesOutputs: !isTold,
    tensors: [...told.inputs, ...outputs],
    dims: told.dims,
    sizes: told.sizes,
    versions,
  });
}

/** The class that is named, or the only `nn.Module` of a file without functions; undefined: a function is adopted. */
function chooseModule(
  { classes, functions }: Looked,
  { class: named, function: asked, file }: PythonRequest,
): ClassFound | undefined {
  const modules = classes.filter(({ is_module, forward }) => is_module && forward !== null);
  const listed = modules.length === 0 ? undefined : `It has ${modules.map(({ name }) => name).join(', ')}.`;
  const wanted = named ?? (functions.some(({ name }) => name === asked) ? undefined : asked);
  if (wanted !== undefined) {
    const found = classes.find(({ name }) => name === wanted);
    if (found !== undefined) return found;
    if (named === undefined) return undefined;
    throw new PawlError('bad-data', `${basename(file)} has no class ${named}.`, listed);
  }
  const usable = usableFunctions(functions);
  const [only, ...others] = modules;
  if (asked !== undefined || only === undefined) return undefined;
  if (usable.length === 0 && others.length === 0) return only;
  const there = [
    ...modules.map(({ name }) => `--class ${name}`),
    ...usable.map(({ name }) => `--function ${name}`),
  ];
  throw new PawlError(
    'usage',
    `${basename(file)} has ${there.length} classes and functions that can be adopted: choose one.`,
    `Say ${there.join(' or ')}`,
  );
}

async function moduleDraft(
  request: PythonRequest,
  looked: Looked,
  found: ClassFound,
  inspector: Inspector,
): Promise<Draft> {
  const { file, device, shapes, init } = request;
  const needed = found.init.filter(({ has_default }) => !has_default).map(({ name }) => name);
  if (init === undefined && needed.length > 0) {
    const example = needed.map((name) => `"${name}": …`).join(', ');
    throw new PawlError(
      'bad-data',
      `${found.name} takes ${needed.join(', ')} in its constructor, and no values are given.`,
      `Say --init '{${example}}', or a list in the constructor's order.`,
    );
  }
  const called = { ...found, parameters: found.forward ?? [] };
  const told = toldTensors(called, shapes, request, device);
  const isComplete = told.inputs.every(({ shape }) => shape !== undefined);
  const inspected = { file, function: found.name, framework: 'torch', init: init ?? [] } as const;
  const study = isComplete ? await studyTold(inspected, called, told, inspector) : undefined;
  const copies = await copiesOf(file, looked, 'oracle', inspector);
  return draftModule({ ...request, candidates: candidatesOf(looked), found, told, study, copies });
}

/** The function that is named, or the only one that is not a helper by its name. */
function chooseFunction({ functions }: Looked, { function: named, file }: PythonRequest): FunctionFound {
  const name = basename(file);
  const usable = usableFunctions(functions);
  const listed =
    usable.length === 0
      ? 'None of its functions has parameters.'
      : `It has ${usable.map((one) => one.name).join(', ')}.`;
  if (named !== undefined) {
    const found = functions.find((one) => one.name === named);
    if (found !== undefined) return found;
    throw new PawlError('bad-data', `${name} has no function ${named}.`, listed);
  }
  const [only, ...others] = usable;
  if (only === undefined)
    throw new PawlError('bad-data', `${name} has no function that can be adopted.`, listed);
  if (others.length > 0) {
    throw new PawlError(
      'usage',
      `${name} has ${usable.length} functions that can be adopted: choose one with --function NAME.`,
      listed,
    );
  }
  return only;
}

function usableFunctions(functions: readonly FunctionFound[]): FunctionFound[] {
  const helpers = ['get_inputs', 'get_init_inputs', 'main'];
  return functions.filter(
    ({ name, parameters }) => !helpers.includes(name) && !name.startsWith('_') && parameters.length > 0,
  );
}

function candidatesOf({ functions, classes }: Looked): AdoptCandidate[] {
  return [
    ...classes
      .filter(({ is_module }) => is_module)
      .map(({ name, line, forward }) => ({
        name,
        line,
        signature: `${name}.forward(${(forward ?? []).map((one) => one.name).join(', ')})`,
      })),
    ...functions.map(({ name, line, parameters }) => ({
      name,
      line,
      signature: `def ${name}(${parameters.map((one) => one.name).join(', ')})`,
    })),
  ];
}
