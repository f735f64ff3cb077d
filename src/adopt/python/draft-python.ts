import { basename } from 'node:path';

import type { AdoptCandidate } from '../../model/adopt-report.ts';
import { PawlError } from '../../model/pawl-error.ts';
import type { Draft } from '../draft.ts';
import { draftFunction, tensorsOfStudy } from './draft-function.ts';
import { draftKernelBench, MODEL, SOLUTION } from './draft-kernelbench.ts';
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
  if (isProblem && (request.function === undefined || request.function === MODEL)) {
    return problemDraft(request, looked, inspector);
  }
  if (request.solution === undefined && launchesTriton(looked, request)) {
    return draftTriton(request, looked, looked.triton!, inspector);
  }
  if (request.solution !== undefined) {
    throw new PawlError(
      'usage',
      `${basename(request.file)} is not a problem with ${MODEL} and get_inputs, which --candidate is for.`,
    );
  }
  return functionDraft(
    request,
    looked,
    chooseFunction(looked, request, isModule(looked, request.function)),
    makesInputs,
    inspector,
  );
}

/** What is asked for launches Triton kernels, or the file's functions do. */
function launchesTriton({ triton }: Looked, { function: named, file }: PythonRequest): boolean {
  if (triton === null || triton.kernels.length === 0) return false;
  if (named !== undefined) return triton.hosts.some(({ name }) => name === named);
  if (triton.hosts.length > 0) return true;
  throw new PawlError(
    'bad-data',
    `${basename(file)} has Triton kernels, and no function that launches them.`,
    'Put the launch into a function that takes tensors and returns its result, and adopt that.',
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
    return draftFunction({ ...common, makesInputs, seesOutputs: true, tensors, dims: [], sizes: {} });
  }
  const told = toldTensors(found, shapes, request, device);
  const isComplete = told.inputs.every(({ shape }) => shape !== undefined);
  // Where it writes into `out`, or needs a GPU, what it makes has to be told.
  const isTold =
    looked.needs_gpu ||
    request.inout.length > 0 ||
    found.parameters.some(({ name }) => name === OUT) ||
    told.outputs.some(({ shape }) => shape !== undefined);
  const outputs = isTold || !isComplete ? told.outputs : await studyTold(inspected, found, told, inspector);
  return draftFunction({
    ...common,
    makesInputs,
    seesOutputs: !isTold,
    tensors: [...told.inputs, ...outputs],
    dims: told.dims,
    sizes: told.sizes,
  });
}

/** The function that is named, or the only one that is not a helper by its name. */
function chooseFunction(
  { functions }: Looked,
  { function: named, file }: PythonRequest,
  isClass: boolean,
): FunctionFound {
  const name = basename(file);
  const helpers = ['get_inputs', 'get_init_inputs', 'main'];
  const usable = functions.filter(
    (one) => !helpers.includes(one.name) && !one.name.startsWith('_') && one.parameters.length > 0,
  );
  const listed =
    usable.length === 0
      ? 'It has none with parameters.'
      : `It has ${usable.map((one) => one.name).join(', ')}.`;
  if (named !== undefined) {
    const found = functions.find((one) => one.name === named);
    if (found !== undefined) return found;
    if (isClass) {
      throw new PawlError(
        'bad-data',
        `${named} is a class, and only \`${MODEL}\` beside get_inputs is adopted as one.`,
        `Call it ${MODEL}, or adopt a function that calls it.`,
      );
    }
    throw new PawlError('bad-data', `${name} has no function ${named}.`, listed);
  }
  const [only, ...others] = usable;
  if (only === undefined)
    throw new PawlError('bad-data', `${name} has no function that can be adopted.`, listed);
  if (others.length > 0) {
    throw new PawlError(
      'usage',
      `${name} has ${usable.length} functions that can be adopted: say which one with --function NAME.`,
      listed,
    );
  }
  return only;
}

function isModule({ classes }: Looked, named: string | undefined): boolean {
  return classes.some(({ name }) => name === named);
}

function candidatesOf({ functions }: Looked): AdoptCandidate[] {
  return functions.map(({ name, line, parameters }) => ({
    name,
    line,
    signature: `def ${name}(${parameters.map((one) => one.name).join(', ')})`,
  }));
}
