import type { Problem } from '../config/problem-schema.ts';
import { caseValues } from '../config/plan-case.ts';
import { PawlError } from '../model/pawl-error.ts';
import { DTYPES } from '../model/problem/tensor.ts';
import type { OperatorDim, TorchOperator } from '../model/reports/torch-export.ts';
import type { ChosenRow } from './choose-rows.ts';

/** Namespaces of PyTorch itself and of what comes with it. */
const TAKEN = new Set([
  'aten',
  'prim',
  'prims',
  'torch',
  'quantized',
  'c10d',
  'inductor',
  'torchvision',
  'triton',
]);

/** Words that no name in a schema, in Python or in C++ may be. */
const RESERVED = new Set(
  (
    'and as assert async await break class continue def del elif else except finally ' +
    'for from global if import in is lambda nonlocal not or pass raise return ' +
    'try while with yield None True False self out'
  ).split(' '),
);

export interface OperatorNames {
  readonly namespace: string;
  readonly name: string;
}

/** `attention-hopper` → package `pawl_attention_hopper` with the operator `attention_hopper`. */
export function operatorNames(base: string, asked: string | undefined): OperatorNames {
  const name = (asked ?? base).replaceAll(/[^A-Za-z0-9_]/gu, '_');
  const isName = /^[A-Za-z][A-Za-z0-9_]*$/u.test(name) && !RESERVED.has(name) && !TAKEN.has(name);
  if (!isName || (asked !== undefined && asked !== name)) {
    throw new PawlError(
      'usage',
      `${JSON.stringify(asked ?? base)} cannot be the name of an operator.`,
      'Give it a name of letters, digits and `_`: --name attention',
    );
  }
  return { namespace: asked === undefined ? `pawl_${name}` : name, name };
}

/** What the operator looks like to PyTorch: tensors first, then dimensions that no shape tells, then scalars. */
export function describeOperator(
  problem: Problem,
  rows: readonly ChosenRow[],
  { namespace, name }: OperatorNames,
): TorchOperator {
  const [first] = rows;
  const { plan, case: shape, device } = first!;
  const tensors = shape.tensors.map(({ name: tensor, role, dtype }) => ({ name: tensor, role, dtype }));
  const inputs = tensors.filter(({ role }) => role !== 'output');
  for (const { name: tensor } of tensors) refuseReserved(tensor);
  const dims = shape.dims.map(({ name: dim }): OperatorDim => {
    const known = axisOf(
      dim,
      problem,
      inputs.map((input) => input.name),
    );
    if (known === undefined) refuseReserved(dim);
    return { name: dim, ...known };
  });
  const scalars = (shape.scalars ?? []).map(({ name: scalar, dtype }) => ({ name: scalar, dtype }));
  for (const scalar of scalars) refuseReserved(scalar.name);
  const asked = dims.filter(({ tensor }) => tensor === undefined);
  const values = rows.map(({ case: each }) => caseValues(each));
  const defaultOf = (scalar: string): { default?: number } => {
    const [value, ...others] = new Set(values.map((row) => row[scalar]!));
    return others.length === 0 && value !== undefined ? { default: value } : {};
  };
  const numbers = scalars.map((scalar) => ({ ...scalar, ...defaultOf(scalar.name) }));
  // PyTorch wants arguments with a default after those without.
  const hasGap = numbers.some(
    (one, at) => one.default === undefined && numbers.slice(0, at).some((each) => each.default !== undefined),
  );
  const last = numbers.map(({ name: scalar, dtype, default: standard }) => ({
    name: scalar,
    type: dtype.startsWith('i') ? 'int' : 'float',
    standard: hasGap ? undefined : standard,
  }));
  const letters = 'abcdefghijklmnopqrstuvwxyz';
  const words = [
    ...inputs.map(({ name: tensor, role }, at) =>
      role === 'inout' ? `Tensor(${letters[at % letters.length]}!) ${tensor}` : `Tensor ${tensor}`,
    ),
    ...asked.map((dim) => `int ${dim.name}`),
    ...last.map(({ name: scalar, type, standard }) =>
      standard === undefined ? `${type} ${scalar}` : `${type} ${scalar}=${numberText(standard, type)}`,
    ),
  ];
  const count = tensors.filter(({ role }) => role === 'output').length;
  const returned = count === 1 ? 'Tensor' : `(${Array.from({ length: count }, () => 'Tensor').join(', ')})`;
  return {
    namespace,
    name,
    schema: `${name}(${words.join(', ')}) -> ${returned}`,
    problem: plan.problem,
    device: plan.device,
    device_name: device,
    language: plan.language === 'python' ? 'python' : 'native',
    tensors,
    dims,
    scalars,
    arguments: [
      ...[...inputs, ...asked].map((one) => ({ name: one.name })),
      ...last.map(({ name: scalar, standard }) =>
        standard === undefined ? { name: scalar } : { name: scalar, default: standard },
      ),
    ],
  };
}

/** Where a dimension stands alone as an extent of an input: `S` of `[B, H, S, D]`. */
function axisOf(
  dim: string,
  problem: Problem,
  inputs: readonly string[],
): { readonly tensor: number; readonly axis: number } | undefined {
  for (const [tensor, name] of inputs.entries()) {
    const axis = problem.tensors[name]!.shape.findIndex((extent) => extent.source.trim() === dim);
    if (axis >= 0) return { tensor, axis };
  }
  return undefined;
}

function numberText(value: number, type: string): string {
  const text = String(value);
  return type === 'float' && /^-?\d+$/u.test(text) ? `${text}.0` : text;
}

function refuseReserved(name: string): void {
  if (!RESERVED.has(name)) return;
  throw new PawlError(
    'bad-data',
    `${name} is a Python keyword and cannot be the name of an argument.`,
    'Rename it in pawl.yaml.',
  );
}

/** What an operator cannot be made of, a sentence and what to do. */
export function refuseUnsupported(problem: Problem, rows: readonly ChosenRow[]): void {
  const refuse = (what: string, hint: string): never => {
    throw new PawlError('bad-data', what, hint);
  };
  const [first] = rows;
  for (const { plan, case: shape } of rows) {
    const label = `${plan.name}/${shape.name}`;
    const own = first!.plan;
    if (plan.problem !== own.problem || plan.device !== own.device)
      refuse(`${plan.name} and ${own.name} have different problems or devices.`, 'Export one at a time.');
    if ((plan.language === 'python') !== (own.language === 'python'))
      refuse(`Only one of ${plan.name} and ${own.name} is in Python.`, 'Export one at a time.');
    if (formOf(shape.tensors) !== formOf(first!.case.tensors))
      refuse(`${plan.name} and ${own.name} take tensors of different types.`, 'Export one at a time.');
    if (plan.prepare !== undefined)
      refuse(
        `${plan.name} has \`prepare\`, which an operator cannot run before a call.`,
        'Export a kernel that takes its inputs as they are.',
      );
    if (plan.init !== undefined)
      refuse(`${plan.name} is a class built with \`init\`, not a function.`, 'Export a function.');
    if (plan.oracle === undefined || plan.checker !== undefined || plan.generator !== undefined)
      refuse(
        `${plan.name} is not judged by an oracle alone, so its self-test could not check results.`,
        'Export a kernel whose problem has an `oracle`, and neither `checker` nor `generator`.',
      );
    if (plan.oracle !== undefined && 'module' in plan.oracle && plan.oracle.init !== undefined)
      refuse(`The oracle of ${plan.name} is a class.`, 'Give its problem an oracle that is a function.');
    for (const { name, dtype, fill, counted_by, distribution, offset } of shape.tensors) {
      if (counted_by !== undefined || distribution !== undefined)
        refuse(
          `${name} of ${label} is counted or drawn, which an operator cannot express.`,
          'Export another kernel.',
        );
      if (DTYPES[dtype].bytes < 1)
        refuse(
          `${name} of ${label} has type ${dtype}, with two elements per byte.`,
          'Export another kernel.',
        );
      if (fill.kind === 'recorded' || fill.kind === 'nonfinite' || fill.kind === 'denormal')
        refuse(
          `${name} of ${label} is filled with ${fill.kind} values, which the self-test cannot generate.`,
          'Export cases that have another fill: --case NAME',
        );
      if (offset !== undefined && offset !== 0)
        refuse(
          `${name} of ${label} does not start at the beginning of its memory (\`offset\`).`,
          'Export other cases: --case NAME',
        );
    }
  }
  if (Object.values(problem.tensors).every(({ role }) => role === 'output'))
    refuse('The problem has no input, so no argument determines the device.', 'Export another kernel.');
}

function formOf(tensors: ChosenRow['case']['tensors']): string {
  return JSON.stringify(tensors.map(({ name, role, dtype, shape }) => [name, role, dtype, shape.length]));
}
