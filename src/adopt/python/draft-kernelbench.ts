import { basename } from 'node:path';

import type { AdoptCandidate, Assumption } from '../../model/reports/adopt-report.ts';
import { PawlError } from '../../model/pawl-error.ts';
import { tensorBytes, type Dtype } from '../../model/problem/tensor.ts';
import type { Draft, DraftFile, DraftKernel, DraftLine, DraftTensor } from '../draft.ts';
import { pawlName } from '../pawl-name.ts';
import { viewFormulasOf } from './free-sizes.ts';
import type { Looked } from './inspection.ts';
import { COMPILED, COMPILED_CLASS, compiledClass, isCompiling, notCompiling } from './compiled.ts';
import { importLines, parametersAre, pathFrom, problemOf, type Names } from './modules.ts';
import type { Study } from './study.ts';

export interface KernelBenchRequest extends Names {
  readonly file: string;
  readonly looked: Looked;
  readonly study: Study;
  readonly device: 'cpu' | 'cuda';
  /** The file with `ModelNew`, which may be the same. */
  readonly solution: { readonly file: string; readonly looked: Looked } | undefined;
}

/** Names of the form. */
export const MODEL = 'Model';
export const SOLUTION = 'ModelNew';
const INPUTS = 'get_inputs';
const INIT = 'get_init_inputs';

/** A problem in the form of KernelBench: `Model`, `get_inputs` and `get_init_inputs`, and where there is one `ModelNew`. */
export function draftKernelBench(request: KernelBenchRequest): Draft {
  const { file, looked, study, device } = request;
  const problem = problemOf(file);
  const tensors = tensorsOf(request);
  const hasInit = looked.functions.some(({ name }) => name === INIT);
  const module = pathFrom(request, file);
  const init = hasInit ? `, init: { module: ${module}, function: ${INIT} }` : '';
  const sized = study.free.length === 0 ? undefined : sizedInputs(request, problem, hasInit);
  const generator = sized?.path ?? module;
  const weights =
    study.base.weights.length === 0
      ? ''
      : `, weights: { class: ${MODEL}${hasInit ? `, init: ${INIT}` : ''} }`;
  const { random } = study.base;
  const isOwn = ownPrecision(study) !== undefined;
  // It draws other random numbers when it is compiled.
  const compiled = isCompiling(study) && !random ? compiledClass(request, file, MODEL, problem) : undefined;
  const kernel = (
    name: string,
    from: string,
    what: string,
    on: 'cpu' | 'cuda',
    comment?: string,
  ): DraftKernel => ({
    name,
    lines: [
      { key: 'problem', value: problem },
      comment === undefined ? { key: 'device', value: on } : { key: 'device', value: on, comment },
      { key: 'language', value: 'python' },
      { key: 'module', value: from },
      { key: 'function', value: what },
      ...(hasInit ? [{ key: 'init', value: `{ module: ${module}, function: ${INIT} }` }] : []),
      { key: 'deterministic', value: 'false', comment: 'PyTorch does not guarantee the same bits twice' },
      ...(sized === undefined || on === 'cuda' ? [] : [{ key: 'cases', value: '[small]' }]),
    ],
  });
  const mine = request.solution;
  const isForGpu = mine?.looked.needs_gpu === true;
  const full = Object.fromEntries(study.free.map(({ name, value }) => [name, value]));
  return {
    entrance: 'kernelbench',
    candidates: candidatesOf(looked),
    adopted: MODEL,
    problem,
    dims: study.free.map(({ name }) => name),
    tensors,
    lines: [
      ...scalarLines(request),
      {
        key: 'generator',
        value: `{ module: ${generator}, function: ${INPUTS}${weights} }`,
        comment: 'makes the inputs',
      },
      {
        key: 'oracle',
        value: `{ module: ${module}, function: ${MODEL}, ${isOwn ? 'precision: own' : `reference: ${MODEL}`}${init} }`,
        comment: isOwn ? 'in its own precision' : 'in double precision, and in its own',
      },
      ...(random
        ? [{ key: 'seeded', value: 'true', comment: 'the random seed is set before each call' }]
        : []),
      toleranceLine(tensors, isOwn),
    ],
    cases: sized === undefined ? { full: {} } : { full, small: study.sizes },
    caseComments: { full: "the file's own sizes", small: 'takes about 20 ms on this CPU' },
    kernels: [
      kernel('reference', module, MODEL, device),
      ...(compiled === undefined ? [] : [kernel(COMPILED, compiled.path, COMPILED_CLASS, device)]),
      ...(mine === undefined
        ? []
        : [
            kernel(
              'mine',
              pathFrom(request, mine.file),
              SOLUTION,
              isForGpu ? 'cuda' : device,
              isForGpu && device === 'cpu' ? 'it uses Triton or CUDA' : undefined,
            ),
          ]),
    ],
    device,
    files: [sized, compiled].filter((each) => each !== undefined),
    assumed: assumptions(request),
    missing: [],
  };
}

/**
 * Tensors of which a GPU of 140 GiB does not hold, beside those themselves, all that a check in double precision needs:
 * inputs, outputs and what the model makes on the way in 64 bits, and the same again in its own precision.
 */
const LARGE_BYTES = 15 * 2 ** 30;

/** Why the oracle works in the model's own precision; undefined: it works in double precision. */
function ownPrecision({ base }: Study): string | undefined {
  if (base.random)
    return `${MODEL} draws random numbers: the seed is set before each call, and the oracle is ${MODEL} in its own precision`;
  if (!base.doubles)
    return `${MODEL} does not work in double precision, so the oracle is ${MODEL} in its own`;
  const bytes = [...base.inputs, ...base.weights, ...base.outputs].reduce(
    (sum, { dtype, shape }) => sum + tensorBytes({ dtype, shape }),
    0,
  );
  return bytes > LARGE_BYTES
    ? `the tensors take ${(bytes / 2 ** 30).toFixed(1)} GiB, too much to compute with them in double precision, so the oracle is ${MODEL} in its own`
    : undefined;
}

/** What `forward` calls what it is given. */
function inputNames({ classes }: Looked, count: number): string[] {
  const forward = classes.find(({ name }) => name === MODEL)?.forward ?? [];
  const parameters = forward.filter(({ by_name }) => !by_name);
  return Array.from({ length: count }, (_, at) => parameters[at]?.name ?? `input_${at}`);
}

/** Numbers that `get_inputs` returns beside tensors. They are passed by name. */
function scalarLines({ looked, study, file }: KernelBenchRequest): DraftLine[] {
  const { inputs, numbers } = study.base;
  if (numbers.length === 0) return [];
  const names = inputNames(looked, inputs.length + numbers.length);
  const scalars = numbers.map(({ at, value, whole }) => {
    const name = names[at]!;
    if (name !== pawlName(name) || name === `input_${at}`) {
      throw new PawlError(
        'bad-data',
        `${basename(file)} has a number among its inputs for which ${MODEL}.forward has no parameter with a usable name.`,
        'Use letters, digits and underscores in the name of the parameter.',
      );
    }
    return `${name}: { dtype: ${whole ? 'i64' : 'f64'}, value: ${value} }`;
  });
  return [{ key: 'scalars', value: `{ ${scalars.join(', ')} }`, comment: `as ${INPUTS} has them` }];
}

function tensorsOf({ looked, study, file }: KernelBenchRequest): DraftTensor[] {
  const { inputs, numbers, weights, outputs } = study.base;
  const names = inputNames(looked, inputs.length + numbers.length).filter(
    (_, place) => !numbers.some(({ at }) => at === place),
  );
  const forms = [
    ...names.map((name) => ({ name: pawlName(name), role: 'input' as const })),
    ...weights.map(({ name }) => ({ name: name.replaceAll('.', '_'), role: 'input' as const })),
    ...outputs.map((_, at) => ({
      name: outputs.length === 1 ? 'out' : `out_${at}`,
      role: 'output' as const,
    })),
  ];
  const called = forms.map(({ name }) => name);
  const twice = called.find((name, at) => called.indexOf(name) !== at);
  if (twice !== undefined) {
    throw new PawlError(
      'bad-data',
      `${basename(file)} has two tensors that would both be named ${twice}.`,
      `Rename the parameter of forward, or the attribute of ${MODEL}.`,
    );
  }
  const all = [...inputs, ...weights, ...outputs];
  const views = viewFormulasOf(study.base, study.free);
  return forms.map(({ name, role }, at): DraftTensor => {
    const tensor: DraftTensor = {
      name,
      role,
      dtype: all[at]!.dtype,
      // pawl.yaml has no tensors without an axis: a number is one element.
      shape: all[at]!.shape.length === 0 ? ['1'] : study.formulas[at]!,
    };
    return Object.assign(tensor, viewOf(views[at]!));
  });
}

/** What `get_inputs` transposes, slices or expands stays a view. */
function viewOf(formulas: readonly string[]): Pick<DraftTensor, 'strides' | 'offset'> {
  const offset = formulas.at(-1);
  if (offset === undefined) return {};
  const strides = formulas.slice(0, -1);
  return offset === '0' ? { strides } : { strides, offset };
}

/**
 * What KernelBench itself compares with: 1e-4 for f32, 1e-2 for half precision. PyTorch convolves in TF32, whose errors
 * are larger: KernelBench compares with a result that has them, and Pawl with one that has none.
 */
function toleranceLine(tensors: readonly DraftTensor[], isOwn: boolean): DraftLine {
  const outputs = new Set<Dtype>(tensors.filter(({ role }) => role === 'output').map(({ dtype }) => dtype));
  const comment = 'as KernelBench has it';
  const plain = (amount: string) => ({
    key: 'tolerance',
    value: `{ atol: ${amount}, rtol: ${amount} }`,
    comment,
  });
  if (outputs.has('f16') || outputs.has('bf16')) return plain('1e-2');
  if (isOwn) return plain('1e-4');
  return {
    key: 'tolerance',
    value: '{ atol: 1e-4, rtol: 1e-4, factor: 4 }',
    comment: `${comment}, or four times the error of ${MODEL} itself`,
  };
}

/** `get_inputs` in the sizes of a case: it reads them from constants of its file. */
function sizedInputs(request: KernelBenchRequest, problem: string, hasInit: boolean): DraftFile {
  const { file, study } = request;
  const names = study.free.map(({ name }) => name);
  const exported = [MODEL, ...(hasInit ? [INIT] : [])];
  return {
    path: `pawl_${problem}_inputs.py`,
    text: `"""Written by \`pawl adopt\` from ${basename(file)}: its inputs in the sizes of a case, which it reads from constants."""

${importLines(request, file, 'problem')}
framework = "torch"
${exported.map((name) => `${name} = problem.${name}\n`).join('')}

def ${INPUTS}(${names.join(', ')}):
${names.map((name) => `    problem.${name} = ${name}\n`).join('')}    return problem.${INPUTS}()
`,
  };
}

function candidatesOf({ classes }: Looked): AdoptCandidate[] {
  return classes.map(({ name, line, forward }) => ({
    name,
    line,
    signature:
      forward === null ? `class ${name}` : `${name}.forward(${forward.map((one) => one.name).join(', ')})`,
  }));
}

function assumptions({ study, device, solution }: KernelBenchRequest): Assumption[] {
  const { base, free, sizes } = study;
  const found: Assumption[] = [];
  if (base.weights.length > 0) {
    found.push({
      about: 'weights',
      text: `${parametersAre(base.weights.length, MODEL)}: kernels with parameters of the same names get the same values`,
    });
  }
  if (free.length > 0) {
    const changed = free
      .filter(({ name, value }) => sizes[name] !== value)
      .map(({ name, value }) => `${name} ${sizes[name]!} (${value} in the file)`)
      .join(', ');
    found.push({
      about: 'sizes',
      text: `this machine has no GPU, so the case \`small\` has ${changed}; \`full\` has the file's own sizes. Pawl changes only constants on which ${MODEL} does not depend`,
    });
  } else if (device === 'cpu') {
    found.push({
      about: 'sizes',
      text: "cases have the file's own sizes: they fit this CPU, or none of them can be changed safely",
    });
  }
  const own = ownPrecision(study);
  if (own !== undefined) found.push({ about: 'oracle', text: own });
  found.push({
    about: 'tolerance',
    text: `the tolerance is that of KernelBench (1e-4, half precision 1e-2)${own === undefined ? ` or, if larger, four times the error of ${MODEL} in its own precision` : ''}`,
  });
  if (solution?.looked.needs_gpu === true && device === 'cpu') {
    found.push({
      about: 'device',
      text: `${SOLUTION} uses Triton or CUDA, and this machine has no GPU: it is measured only on machines with one`,
    });
  }
  if (!isCompiling(study)) found.push(notCompiling(study));
  return found;
}
