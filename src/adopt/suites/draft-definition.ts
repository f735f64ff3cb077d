import { Expression } from '../../config/expression/expression.ts';
import type { Assumption } from '../../model/reports/adopt-report.ts';
import { PawlError } from '../../model/pawl-error.ts';
import { tensorBytes, type Dtype } from '../../model/problem/tensor.ts';
import type { Draft, DraftFile, DraftKernel, DraftLine, DraftTensor } from '../draft.ts';
import { pawlName } from '../pawl-name.ts';
import { problemOf, type Names } from '../python/modules.ts';
import { writtenInputs, type Definition, type Solution, type Workload } from './definition-file.ts';
import { generatorText } from './generator-text.ts';
import { scalarRule } from './input-rules.ts';
import { toPython } from '../python/python-text.ts';
import { samplingChecker } from './sampling-checker.ts';
import { samplingDistribution, type SamplingDistribution } from './sampling-distribution.ts';
import { isPython, solutionFiles } from './solution-files.ts';
import { SUPPORT } from './support-file.ts';

export interface DefinitionCase {
  readonly name: string;
  readonly axes: Readonly<Record<string, number>>;
  /** Where axes, scalars and recorded tensors come from; undefined: Pawl chose the axes. */
  readonly workload: Workload | undefined;
}

export interface DefinitionDraftRequest extends Names {
  readonly file: string;
  readonly definition: Definition;
  readonly cases: readonly DefinitionCase[];
  readonly solution: Solution | undefined;
  readonly device: 'cpu' | 'cuda';
  /** Recorded tensors whose files are there, by case: paths from the project. */
  readonly recorded: readonly Readonly<Record<string, readonly [string, string]>>[];
  readonly support: string;
}

/** What their types are called in pawl.yaml. */
const DTYPES: Readonly<Record<string, Dtype>> = {
  float64: 'f64',
  float32: 'f32',
  float16: 'f16',
  bfloat16: 'bf16',
  int64: 'i64',
  int32: 'i32',
  int16: 'i16',
  int8: 'i8',
  uint8: 'u8',
  bool: 'bool',
  float8_e4m3fn: 'f8e4m3',
  float8_e5m2: 'f8e5m2',
};

/** What may be held: two sets of a case's tensors, and a copy of them in f32, which many references work on. */
const MOST_BYTES = { cpu: 3 * 2 ** 30, cuda: 100 * 2 ** 30 } as const;

/** A definition of FlashInfer-Bench as a project. */
export function draftDefinition(request: DefinitionDraftRequest): Draft {
  const { definition, device, solution, cases } = request;
  const problem = problemOf(definition.name);
  const judge = judgeOf(definition);
  const tensors = tensorsOf(definition, judge);
  const fitting = fittingCases(request, tensors);
  const isRecorded = request.recorded.some((each) => Object.keys(each).length > 0);
  const dims = [
    ...Object.entries(definition.axes)
      .filter(([, axis]) => axis.type !== 'expr')
      .map(([name]) => name),
    ...(isRecorded ? [WORKLOAD] : []),
  ];
  const module = `pawl_${problem}.py`;
  const mine = solution && `pawl_${problem}_mine.py`;
  const on = solution !== undefined && !isPython(solution) ? 'cuda' : device;
  const kernel = (name: string, from: string, where: 'cpu' | 'cuda'): DraftKernel => ({
    name,
    lines: [
      { key: 'problem', value: problem },
      { key: 'device', value: where },
      { key: 'language', value: 'python' },
      { key: 'module', value: from },
      { key: 'function', value: 'run' },
      ...(judge.kind !== 'checker'
        ? []
        : [{ key: 'deterministic', value: 'false', comment: 'it draws at random' }]),
      ...(fitting.length === cases.length || where !== device
        ? []
        : [{ key: 'cases', value: `[${fitting.join(', ')}]` }]),
    ],
  });
  return {
    entrance: 'flashinfer',
    candidates: [],
    adopted: 'run',
    problem,
    dims,
    tensors,
    lines: linesOf(request, module, judge),
    cases: Object.fromEntries(cases.map((one, at) => [one.name, caseValues(request, one, at, isRecorded)])),
    caseComments:
      cases.length === 1 && cases[0]?.workload === undefined
        ? { [cases[0]!.name]: 'sizes chosen by Pawl: replace them with yours' }
        : {},
    kernels: [kernel('reference', module, device), ...(mine === undefined ? [] : [kernel('mine', mine, on)])],
    device,
    files: [
      { path: `pawl_${problem}_reference.py`, text: definition.reference },
      moduleFile(request, problem, module, isRecorded, judge),
      ...(solution === undefined ? [] : [...solutionFiles(solution, definition, problem, mine!)]),
      { path: SUPPORT, text: request.support },
    ],
    assumed: assumptions(request, fitting, judge),
    missing: [],
  };
}

const WORKLOAD = 'workload';

/** What says whether a result is right: the reference, probabilities of draws, or whether a draw is possible at all. */
type Judge =
  | { readonly kind: 'reference' }
  | ({ readonly kind: 'distribution' } & SamplingDistribution)
  | { readonly kind: 'checker'; readonly text: string };

function judgeOf(definition: Definition): Judge {
  const distribution = samplingDistribution(definition);
  if (distribution !== undefined) return { kind: 'distribution', ...distribution };
  const text = samplingChecker(definition);
  return text === undefined ? { kind: 'reference' } : { kind: 'checker', text };
}

function tensorsOf(definition: Definition, judge: Judge): DraftTensor[] {
  const { name, axes, inputs, outputs } = definition;
  const written = new Set(writtenInputs(definition));
  const dtypeOf = (what: string, text: string): Dtype => {
    const dtype = DTYPES[text];
    if (dtype !== undefined) return dtype;
    throw new PawlError(
      'bad-data',
      `${name}: ${what} has elements of type ${text}, which Pawl does not support.`,
    );
  };
  const extent = (axis: string): string => {
    const found = axes[axis];
    if (found === undefined) return axis;
    return found.type === 'expr' ? `(${found.expression})` : axis;
  };
  const make =
    (role: 'input' | 'output') =>
    ([tensor, { dtype, shape }]: [
      string,
      { dtype: string; shape: readonly string[] | null },
    ]): DraftTensor[] =>
      shape === null && role === 'input'
        ? []
        : [
            {
              name: pawlName(tensor),
              role: written.has(tensor) ? 'inout' : role,
              dtype: dtypeOf(tensor, dtype),
              shape: (shape ?? []).map(extent),
              ...(judge.kind === 'distribution' &&
                judge.output === tensor && { distribution: `{ outcomes: ${extent(judge.outcomes)} }` }),
            },
          ];
  const made = [
    ...Object.entries(inputs).flatMap(make('input')),
    ...Object.entries(outputs).flatMap(make('output')),
  ];
  if (!made.some(({ role }) => role === 'output')) throw new PawlError('bad-data', `${name} has no output.`);
  return made;
}

/** Cases whose tensors this machine can hold. */
function fittingCases(
  { cases, device, definition }: DefinitionDraftRequest,
  tensors: readonly DraftTensor[],
): string[] {
  const bytes = cases.map(({ axes }) =>
    tensors.reduce((sum, { dtype, shape = [] }) => {
      const extents = shape.map((text) => Expression.parse(text).evaluateNumber(axes));
      return sum + 2 * tensorBytes({ dtype, shape: extents }) + tensorBytes({ dtype: 'f32', shape: extents });
    }, 0),
  );
  const fitting = cases.filter((_, at) => bytes[at]! <= MOST_BYTES[device]).map(({ name }) => name);
  if (fitting.length > 0) return fitting;
  const least = Math.min(...bytes) / 2 ** 30;
  throw new PawlError(
    'bad-data',
    `${definition.name}: two copies of its tensors and one in f32 take ${least.toFixed(1)} GiB; the limit on a ${device === 'cpu' ? 'CPU' : 'GPU'} is ${MOST_BYTES[device] / 2 ** 30} GiB.`,
    'Constant axes cannot be made smaller.',
  );
}

function scalarsOf({ inputs }: Definition): [string, Definition['inputs'][string]][] {
  return Object.entries(inputs).filter(([, { shape }]) => shape === null);
}

function linesOf(
  { definition, cases }: DefinitionDraftRequest,
  module: string,
  { kind }: Judge,
): DraftLine[] {
  const scalars = scalarsOf(definition).map(([name, tensor]) => {
    const { value } = scalarRule(definition, name, tensor);
    const isWhole = /^u?int|^bool/u.test(tensor.dtype);
    return `${name}: ${isWhole ? `{ dtype: i64, value: ${value} }` : value}`;
  });
  return [
    ...(scalars.length === 0 ? [] : [{ key: 'scalars', value: `{ ${scalars.join(', ')} }` }]),
    {
      key: 'generator',
      value: `{ module: ${module}, function: make_inputs }`,
      comment: 'a proposal: look at it',
    },
    judgeLine(module, kind),
    ...(kind === 'reference' ? [{ key: 'tolerance', ...toleranceOf(cases) }] : []),
  ];
}

function judgeLine(module: string, kind: Judge['kind']): DraftLine {
  if (kind === 'checker') {
    const value = `{ module: ${module}, function: is_right }`;
    return { key: 'checker', value, comment: 'many samples are right' };
  }
  return kind === 'distribution'
    ? {
        key: 'oracle',
        value: `{ module: ${module}, function: probabilities }`,
        comment: 'tests how often each value is drawn',
      }
    : {
        key: 'oracle',
        value: `{ module: ${module}, function: run, precision: own }`,
        comment: 'as the suite has it',
      };
}

/** FlashInfer-Bench compares with 1e-2; workloads of SOL-ExecBench say their own, and the widest of them holds. */
function toleranceOf(cases: readonly DefinitionCase[]): { value: string; comment: string } {
  const told = cases.flatMap(({ workload }) => workload?.tolerance ?? []);
  if (told.length === 0) return { value: '{ atol: 1e-2, rtol: 1e-2 }', comment: 'that of FlashInfer-Bench' };
  const atol = Math.max(...told.map((one) => one.max_atol ?? 1e-2));
  const rtol = Math.max(...told.map((one) => one.max_rtol ?? 1e-2));
  const share = Math.min(...told.map((one) => one.required_matched_ratio ?? 0.99));
  return {
    value: `{ atol: ${atol}, rtol: ${rtol}${share < 1 ? `, share: ${share}` : ''} }`,
    comment: 'the widest one of the workloads',
  };
}

function caseValues(
  { definition }: DefinitionDraftRequest,
  { axes, workload }: DefinitionCase,
  at: number,
  isRecorded: boolean,
): Record<string, number> {
  const dims = Object.entries(axes).filter(([name]) => {
    const axis = definition.axes[name];
    return axis !== undefined && axis.type !== 'expr';
  });
  const scalars = scalarsOf(definition).flatMap(([name]): [string, number][] => {
    const given = workload?.inputs[name];
    return given?.type === 'scalar' ? [[name, Number(given.value)]] : [];
  });
  return Object.fromEntries([...dims, ...(isRecorded ? [[WORKLOAD, at] as const] : []), ...scalars]);
}

function moduleFile(
  request: DefinitionDraftRequest,
  problem: string,
  path: string,
  isRecorded: boolean,
  judge: Judge,
): DraftFile {
  const { definition, recorded } = request;
  const inouts = writtenInputs(definition);
  const inputs = Object.fromEntries(
    Object.entries(definition.inputs).map(([name, { dtype, shape }]) => [
      name,
      shape === null ? null : dtype,
    ]),
  );
  const outputs = Object.fromEntries(
    Object.entries(definition.outputs).map(([name, { dtype }]) => [name, dtype]),
  );
  return {
    path,
    text: `"""Written by \`pawl adopt\` from the definition ${problem}: its inputs, and how Pawl calls it."""

import torch
from pawl_suite import Definition, device, distinct, function_in, normal, offsets, recorded, split

framework = "torch"

definition = Definition(
    inputs=${toPython(inputs)},
    outputs=${toPython(outputs)},${inouts.length === 0 ? '' : `\n    inouts=${toPython(inouts)},`}
)
reference = function_in(__file__, "pawl_${problem}_reference.py", "run")


def run(*tensors, **named):
    return definition.call(reference, tensors, named)


${generatorText(definition, isRecorded ? recorded : undefined)}${judge.kind === 'reference' ? '' : `\n\n${judge.text}`}`,
  };
}

const RIGHT: Readonly<Record<Judge['kind'], string>> = {
  reference: "the oracle is the definition's reference, in its own precision",
  distribution:
    'samples must follow the distribution that `probabilities` returns. Pawl wrote it from the names of the inputs: the top_k most likely of `probs`, then the first of those that reach top_p',
  checker: 'a sample is correct if its value may be drawn; how often each value is drawn is not tested',
};

function assumptions(
  { definition, cases, solution, device, recorded }: DefinitionDraftRequest,
  fitting: readonly string[],
  { kind }: Judge,
): Assumption[] {
  const found: Assumption[] = [
    {
      about: 'fill',
      text: 'make_inputs makes the inputs. Pawl wrote it from the names, constraints and descriptions of the definition: check it',
    },
    { about: 'oracle', text: RIGHT[kind] },
  ];
  const open = scalarsOf(definition).filter(([name]) =>
    cases.some(({ workload }) => workload?.inputs[name]?.type !== 'scalar'),
  );
  for (const [name, tensor] of open) {
    const { value, why } = scalarRule(definition, name, tensor);
    found.push({ about: 'scalars', text: `${name} is ${value} (${why})` });
  }
  const chosen = cases.filter(({ workload }) => workload === undefined);
  if (chosen.length > 0) {
    const axes = Object.entries(definition.axes).filter(([, axis]) => axis.type === 'var');
    const told = axes.map(([name]) => `${name} ${chosen[0]!.axes[name]!}`).join(', ');
    if (told !== '')
      found.push({ about: 'sizes', text: `no workload gives the sizes of the axes, so Pawl chose ${told}` });
  }
  const lost = cases.flatMap(({ workload }, at) =>
    Object.entries(workload?.inputs ?? {})
      .filter(([name, one]) => one.type === 'safetensors' && recorded[at]?.[name] === undefined)
      .map(([name]) => name),
  );
  if (lost.length > 0) {
    found.push({
      about: 'fill',
      text: `the files with recorded ${[...new Set(lost)].join(', ')} are missing, so make_inputs makes these inputs`,
    });
  }
  if (fitting.length < cases.length) {
    found.push({
      about: 'sizes',
      text: `measured here: ${fitting.join(', ')}; the others are too large for this machine`,
    });
  }
  if (kind === 'reference') found.push({ about: 'tolerance', text: "the tolerance is the suite's" });
  if (solution !== undefined && !isPython(solution) && device === 'cpu') {
    found.push({
      about: 'device',
      text: 'the solution needs a GPU, and this machine has none: it is measured only on machines with one',
    });
  }
  return found;
}
