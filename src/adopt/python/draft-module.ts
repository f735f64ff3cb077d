import { basename, dirname } from 'node:path';

import type { AdoptCandidate, Assumption } from '../../model/reports/adopt-report.ts';
import { PawlError } from '../../model/pawl-error.ts';
import { isFloating } from '../../model/problem/tensor.ts';
import type { Draft, DraftFile, DraftKernel, DraftTensor } from '../draft.ts';
import { sizesComment } from '../default-sizes.ts';
import { pawlName } from '../pawl-name.ts';
import { toleranceOf } from '../tolerance.ts';
import { COMPILED, COMPILED_CLASS, compiledClass, isCompiling, notCompiling } from './compiled.ts';
import type { Looked } from './inspection.ts';
import { importLines, parametersAre } from './modules.ts';
import type { PythonRequest } from './python-request.ts';
import { toPython } from './python-text.ts';
import type { ToldStudy } from './study-told.ts';
import type { ToldTensors } from './told-tensors.ts';
import { torchType } from './torch-types.ts';

export type ClassFound = Looked['classes'][number];

export interface ModuleRequest extends PythonRequest {
  readonly candidates: readonly AdoptCandidate[];
  readonly found: ClassFound;
  readonly told: ToldTensors;
  /** Undefined where shapes have still to be told. */
  readonly study: ToldStudy | undefined;
  /** The file as it is, and what it imports from beside it. */
  readonly copies: readonly DraftFile[];
}

/** An `nn.Module` that takes tensors: its parameters are inputs that every kernel shares. */
export function draftModule(request: ModuleRequest): Draft {
  const { file, found, told, study, device, oracle } = request;
  const { name } = found;
  const problem = pawlName(name);
  const support = `pawl_${problem}.py`;
  const tensors = [...told.inputs, ...(study?.weights ?? []), ...(study?.outputs ?? told.outputs)];
  refuseTwins(tensors, request);
  const judges = `oracle/${support}`;
  const isDouble = study?.doubles !== false;
  const written = tensors.filter(({ role }) => role === 'output').map(({ dtype }) => dtype);
  const compiled =
    study !== undefined && isCompiling(study)
      ? // By the support file's class, which is in evaluation mode.
        compiledClass({ out: dirname(file) }, `${dirname(file)}/${support}`, name, problem)
      : undefined;
  const kernel = (called: string, from: string, what: string): DraftKernel => ({
    name: called,
    lines: [
      { key: 'problem', value: problem },
      { key: 'device', value: device },
      { key: 'language', value: 'python' },
      { key: 'module', value: from },
      { key: 'function', value: what },
      { key: 'init', value: `{ module: ${support}, function: init }` },
    ],
  });
  const scalars = Object.entries(told.scalars).map(([scalar, value]) => `${scalar}: ${value}`);
  const weights = study?.weights.length === 0 ? '' : `, weights: { class: ${name}, init: init }`;
  const missing = told.inputs.filter(({ shape }) => shape === undefined);
  return {
    entrance: 'python',
    candidates: request.candidates,
    adopted: name,
    problem,
    dims: told.dims,
    tensors,
    lines: [
      ...(scalars.length > 0 ? [{ key: 'scalars', value: `{ ${scalars.join(', ')} }` }] : []),
      {
        key: 'generator',
        value: `{ module: ${judges}, function: get_inputs${weights} }`,
        comment: 'makes the inputs and the parameters of the class',
      },
      oracle === undefined
        ? {
            key: 'oracle',
            value: `{ module: ${judges}, function: ${name}${isDouble ? '' : ', precision: own'}, init: { module: ${judges}, function: init } }`,
            comment: `a copy of the adopted class, in ${isDouble ? 'double' : 'its own'} precision`,
          }
        : { key: 'oracle', value: `{ module: ${oracle.module}, function: ${oracle.function} }` },
      { key: 'tolerance', value: toleranceOf(written), comment: 'assumed from the type of the outputs' },
    ],
    cases: { first: told.sizes },
    caseComments: told.dims.length === 0 ? {} : { first: sizesComment(told.dims, request.sizes) },
    kernels: [
      kernel(`${problem}-python`, support, name),
      ...(compiled === undefined ? [] : [kernel(COMPILED, compiled.path, COMPILED_CLASS)]),
    ],
    device,
    files: [
      ...request.copies,
      supportFile(request, judges, importLines({ out: dirname(file) }, file, 'adopted'), true),
      supportFile(request, support, importLines(request, file, 'adopted'), false),
      ...(compiled === undefined ? [] : [compiled]),
    ],
    assumed: assumptions(request),
    missing: missing.map((tensor) => ({
      kind: 'shape',
      name: tensor.name,
      option: `--shape ${tensor.name}=…`,
    })),
  };
}

function refuseTwins(tensors: readonly DraftTensor[], { file, found }: ModuleRequest): void {
  const names = tensors.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice === undefined) return;
  throw new PawlError(
    'bad-data',
    `${basename(file)} has two tensors that would both be named ${twice}.`,
    `Rename the parameter of forward, or the attribute of ${found.name}.`,
  );
}

/** The one function of formulas that Python does not have. */
const CEILDIV = `

def ceildiv(one, other):
    return -(-one // other)
`;

/** The class as it is measured, and what it is built with; for the judge, what makes inputs for it as well. */
function supportFile(
  { file, found: { name }, init, told }: ModuleRequest,
  path: string,
  imports: string,
  makesInputs: boolean,
): DraftFile {
  const made = told.inputs.map((tensor) => `        ${inputText(tensor)}\n`);
  const needsCeildiv = makesInputs && made.some((line) => line.includes('ceildiv('));
  const what = makesInputs ? 'what it is built with, and inputs for it' : 'and what it is built with';
  const inputs = `

def get_inputs(${told.dims.join(', ')}):
    return [
${made.join('')}    ]
`;
  return {
    path,
    text: `"""Written by \`pawl adopt\` from ${basename(file)}: ${name} in evaluation mode, ${what}."""

${imports}
import torch

framework = "torch"
${needsCeildiv ? CEILDIV : ''}

class ${name}(adopted.${name}):
    def __init__(self, *given, **named):
        super().__init__(*given, **named)
        self.eval()


def init():
    return ${toPython(init ?? [])}
${makesInputs ? inputs : ''}`,
  };
}

function inputText({ name, dtype, shape }: DraftTensor): string {
  if (shape === undefined) return `None,  # TODO: ${name}, as in torch.randn((rows, 64))`;
  const [only, ...more] = shape.map(extentText);
  const extents =
    more.length === 0 ? `(${only ?? ''}${only === undefined ? '' : ','})` : `(${[only, ...more].join(', ')})`;
  if (!isFloating(dtype) && !dtype.startsWith('c')) {
    return `torch.randint(0, 2, ${extents}).to(${torchType(dtype)}),`;
  }
  return dtype === 'f32' ? `torch.randn(${extents}),` : `torch.randn(${extents}).to(${torchType(dtype)}),`;
}

/** Formulas mean what they mean in Python, and may come to 8.0. */
function extentText(extent: string): string {
  return /^\w+$/u.test(extent) ? extent : `int(${extent})`;
}

function assumptions({ found: { name }, oracle, told, sizes, study }: ModuleRequest): Assumption[] {
  const found: Assumption[] = [];
  if (oracle === undefined) {
    found.push({
      about: 'oracle',
      text: `no oracle was found, so ${name} as it is now, in ${study?.doubles === false ? 'its own precision because it does not work in double' : 'double precision'}, is the reference (a copy in oracle/): later versions must compute the same. A better one is named with --oracle FILE.py:NAME`,
    });
  }
  if (study !== undefined && study.weights.length > 0) {
    found.push({
      about: 'weights',
      text: `${parametersAre(study.weights.length, name)}, drawn as its constructor draws them: kernels with parameters of the same names get the same values`,
    });
  }
  found.push({ about: 'import', text: `${name} is measured in evaluation mode, without gradients` });
  const guessed = told.dims.filter((dim) => sizes[dim] === undefined);
  if (guessed.length > 0) {
    found.push({
      about: 'sizes',
      text: `the sizes ${guessed.join(', ')} of the case \`first\`: say --size ${guessed[0]!}=N`,
    });
  }
  const whole = told.inputs.filter(({ dtype }) => /^[iu]|bool/u.test(dtype)).map((tensor) => tensor.name);
  found.push({
    about: 'fill',
    text: `${told.inputs.map((tensor) => tensor.name).join(', ')}: normally distributed f32 numbers by default${whole.length === 0 ? '' : `; ${whole.join(', ')}: 0 or 1`} (get_inputs in oracle/ makes them)`,
  });
  found.push({ about: 'tolerance', text: 'the tolerance follows from the type of the outputs' });
  if (study !== undefined && !isCompiling(study)) found.push(notCompiling(study));
  return found;
}
