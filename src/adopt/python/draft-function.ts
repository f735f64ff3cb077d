import { basename } from 'node:path';

import type { AdoptCandidate, Assumption } from '../../model/reports/adopt-report.ts';
import type { Draft, DraftFile, DraftKernel, DraftLine, DraftTensor } from '../draft.ts';
import { pawlName } from '../pawl-name.ts';
import { sizesComment } from '../default-sizes.ts';
import { toleranceOf } from '../tolerance.ts';
import { COMPILED, compiledFunction, isCompiling } from './compiled.ts';
import { pathFrom, type Names } from './modules.ts';
import type { Study } from './study.ts';

export interface FunctionRequest extends Names {
  readonly file: string;
  readonly candidates: readonly AdoptCandidate[];
  readonly function: { readonly name: string; readonly parameters: readonly { readonly name: string }[] };
  readonly device: 'cpu' | 'cuda';
  readonly tensors: readonly DraftTensor[];
  readonly dims: readonly string[];
  readonly sizes: Readonly<Record<string, number>>;
  readonly told: Readonly<Record<string, number>>;
  readonly scalars: Readonly<Record<string, number>>;
  /** It has \`get_inputs\`. */
  readonly makesInputs: boolean;
  /** What it returns is seen by calling it, and need not be told. */
  readonly seesOutputs: boolean;
  readonly oracle: { readonly module: string; readonly function: string } | undefined;
  /** Of frameworks, as far as it was called. */
  readonly versions: Readonly<Record<string, string>>;
  /** The file as it is, and what it imports from beside it. */
  readonly copies: readonly DraftFile[];
}

/** A Python function with tensors in and tensors out. */
export function draftFunction(request: FunctionRequest): Draft {
  const { file, tensors, dims, sizes, device, makesInputs, oracle } = request;
  const { name } = request.function;
  const problem = pawlName(name);
  const module = pathFrom(request, file);
  const computedInSingle = tensors.some(({ role, dtype }) => role !== 'output' && dtype === 'f32');
  const written = tensors
    .filter(({ role }) => role !== 'input')
    // NumPy before 2.0 returns f64 for an f32 times a Python float, which is not more exact.
    .map(({ dtype }) => (dtype === 'f64' && computedInSingle ? 'f32' : dtype));
  const copy = oracle ?? { module: `oracle/${basename(file)}`, function: name };
  const scalars = Object.entries(request.scalars).map(([scalar, value]) => `${scalar}: ${value}`);
  const lines: DraftLine[] = [
    ...(scalars.length > 0 ? [{ key: 'scalars', value: `{ ${scalars.join(', ')} }` }] : []),
    ...(makesInputs
      ? [
          {
            key: 'generator',
            value: `{ module: ${module}, function: get_inputs }`,
            comment: 'makes the inputs',
          },
        ]
      : []),
    {
      key: 'oracle',
      value: `{ module: ${copy.module}, function: ${copy.function} }`,
      ...(oracle === undefined && {
        comment: 'a copy of the adopted function, in double precision',
      }),
    },
    { key: 'tolerance', value: toleranceOf(written), comment: 'assumed from the type of the outputs' },
  ];
  const missing = tensors.filter(
    ({ shape, role }) => shape === undefined && !(role === 'output' && request.seesOutputs),
  );
  const compiled = isCompiling(request) ? compiledFunction(request, file, name, problem) : undefined;
  const kernel = (called: string, from: string): DraftKernel => ({
    name: called,
    lines: [
      { key: 'problem', value: problem },
      { key: 'device', value: device },
      { key: 'language', value: 'python' },
      { key: 'module', value: from },
      { key: 'function', value: name },
    ],
  });
  return {
    entrance: 'python',
    candidates: request.candidates,
    adopted: name,
    problem,
    dims,
    tensors,
    lines,
    cases: { first: sizes },
    caseComments: makesInputs
      ? { first: "the file's own sizes" }
      : dims.length === 0
        ? {}
        : { first: sizesComment(dims, request.told) },
    kernels: [
      kernel(`${problem}-python`, module),
      ...(compiled === undefined ? [] : [kernel(COMPILED, compiled.path)]),
    ],
    device,
    files: [...(oracle === undefined ? request.copies : []), ...(compiled === undefined ? [] : [compiled])],
    assumed: assumptions(request),
    missing: missing.map((tensor) => ({
      kind: 'shape',
      name: tensor.name,
      option: `--shape ${tensor.name}=…`,
    })),
  };
}

/** Inputs by the function's parameters, and outputs, of a function that was called with what \`get_inputs\` makes. */
export function tensorsOfStudy(
  { base, formulas }: Study,
  parameters: readonly { readonly name: string }[],
): DraftTensor[] {
  const { inputs, outputs } = base;
  return [
    ...inputs.map(({ dtype, shape }, at) => ({
      name: pawlName(parameters[at]?.name ?? `input_${at}`),
      role: 'input' as const,
      dtype,
      shape: shape.length === 0 ? ['1'] : formulas[at],
    })),
    ...outputs.map(({ dtype, shape }, at) => ({
      name: outputs.length === 1 ? 'out' : `out_${at}`,
      role: 'output' as const,
      dtype,
      shape: shape.length === 0 ? ['1'] : formulas[inputs.length + at],
    })),
  ];
}

function assumptions({
  function: { name },
  oracle,
  makesInputs,
  dims,
  told,
  tensors,
}: FunctionRequest): Assumption[] {
  const found: Assumption[] = [];
  if (oracle === undefined) {
    found.push({
      about: 'oracle',
      text: `no oracle was found, so ${name} as it is now, in double precision, is the reference (a copy in oracle/): later versions must compute the same. Give a better one with --oracle FILE.py:NAME`,
    });
  }
  const guessed = dims.filter((dim) => told[dim] === undefined);
  if (guessed.length > 0) {
    found.push({
      about: 'sizes',
      text: `the sizes ${guessed.join(', ')} of the case \`first\`: say --size ${guessed[0]!}=N`,
    });
  }
  if (!makesInputs) {
    const inputs = tensors.filter(({ role }) => role === 'input').map((tensor) => tensor.name);
    found.push({
      about: 'fill',
      text: `${inputs.join(', ')}: normal numbers in f32 where nothing else is said (--shape ${inputs[0] ?? 'x'}=…:f16 says a type)`,
    });
  }
  found.push({ about: 'tolerance', text: 'the tolerance follows from the type of the outputs' });
  return found;
}
