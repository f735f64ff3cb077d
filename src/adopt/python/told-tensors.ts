import { dtypeSchema, type Dtype } from '../../model/problem/tensor.ts';
import { Expression } from '../../config/expression/expression.ts';
import { PawlError } from '../../model/pawl-error.ts';
import { defaultSizes } from '../default-sizes.ts';
import type { DraftTensor } from '../draft.ts';
import { pawlName } from '../pawl-name.ts';
import { parseFormula, splitTop } from '../shapes.ts';
import type { Form, Looked } from './inspection.ts';

/** Inputs that `--shape x=rows,cols:f16` tells. */
export interface ToldTensors {
  readonly inputs: readonly DraftTensor[];
  /** What the function returns, where it cannot be called to see: `out`, or `out_0`, `out_1` … */
  readonly outputs: readonly DraftTensor[];
  readonly dims: readonly string[];
  readonly sizes: Readonly<Record<string, number>>;
  readonly scalars: Readonly<Record<string, number>>;
}

/** The parameter names by which a function is told what to write into, and a person what it returns. */
export const OUT = 'out';
const isOut = (name: string): boolean => /^out(_\d+)?$/u.test(name);

interface ToldNumbers extends Pick<ToldTensors, 'sizes' | 'scalars'> {
  /** Tensors that are read and written. */
  readonly inout?: readonly string[];
}

/** Parameters that have a shape, or that need one because nothing else gives them a value. */
export function toldTensors(
  { name: functionName, parameters }: Looked['functions'][number],
  shapes: Readonly<Record<string, string>>,
  { sizes: told, scalars, inout = [] }: ToldNumbers,
  device: 'cpu' | 'cuda',
): ToldTensors {
  const names = parameters.map(({ name }) => name);
  const unknown = [
    ...Object.keys(shapes).filter((name) => !isOut(name)),
    ...Object.keys(scalars),
    ...inout,
  ].find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw new PawlError(
      'usage',
      `${functionName} has no parameter ${unknown}.`,
      `It has ${names.join(', ')}.`,
    );
  }
  const inputs = parameters
    .filter(({ name, has_default }) => name !== OUT && (shapes[name] !== undefined || !has_default))
    .filter(({ name }) => shapes[name] !== undefined || (told[name] ?? scalars[name]) === undefined)
    .map(({ name }) => tensorOf(name, inout.includes(name) ? 'inout' : 'input', shapes[name]));
  const named = Object.keys(shapes).filter((name) => isOut(name) && (name === OUT || !names.includes(name)));
  // What changes its tensors in place need not return any.
  const results = named.length > 0 ? named.toSorted() : inout.length > 0 ? [] : [OUT];
  const outputs = results.map((name) => tensorOf(name, 'output', shapes[name]));
  const used = [...inputs, ...outputs].flatMap(({ shape = [] }) =>
    shape.flatMap((extent) => Expression.parse(extent).names.map((use) => use.name)),
  );
  const dims = [...new Set([...used, ...Object.keys(told)])];
  const sizes = defaultSizes(
    dims,
    inputs.map(({ shape }) => shape),
    told,
    device,
  );
  return { inputs, outputs, dims, sizes, scalars };
}

function tensorOf(name: string, role: DraftTensor['role'], text: string | undefined): DraftTensor {
  if (text === undefined) return { name: pawlName(name), role, dtype: 'f32', shape: undefined };
  const colon = text.lastIndexOf(':');
  const extents = splitTop(colon === -1 ? text : text.slice(0, colon)).map((part) => part.trim());
  for (const extent of extents) parseFormula(extent, `The shape of ${name}`);
  return {
    name: pawlName(name),
    role,
    dtype: dtypeOf(name, colon === -1 ? 'f32' : text.slice(colon + 1)),
    shape: extents,
  };
}

function dtypeOf(name: string, text: string): Dtype {
  const dtype = dtypeSchema.safeParse(text.trim());
  if (dtype.success) return dtype.data;
  throw new PawlError(
    'usage',
    `Unknown type of ${name}: ${text}.`,
    `Use one of ${dtypeSchema.options.join(', ')}.`,
  );
}

/** The forms in which the function is called to see what it returns. */
export function formsFrom(inputs: readonly DraftTensor[], sizes: Readonly<Record<string, number>>): Form[] {
  return inputs.map(({ dtype, shape = [] }) => ({
    dtype,
    shape: shape.map((extent) => Expression.parse(extent).evaluateNumber(sizes)),
  }));
}
