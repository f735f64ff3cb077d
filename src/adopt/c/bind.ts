import { PawlError } from '../../model/pawl-error.ts';
import type { Dtype } from '../../model/problem/tensor.ts';
import { pawlName } from '../pawl-name.ts';
import { parseShape } from '../shapes.ts';
import type { Signature } from './signature.ts';

/** A tensor of the call, and the C type of its elements. */
export interface BoundTensor {
  readonly name: string;
  readonly role: 'input' | 'output' | 'inout';
  readonly dtype: Dtype;
  readonly element: string;
  /** Its pointer is to const. */
  readonly isConst: boolean;
  readonly shape: readonly string[] | undefined;
}

/** A floating number beside the tensors. */
interface BoundScalar {
  readonly name: string;
  readonly element: 'float' | 'double';
  readonly value: number;
  /** It was not given, and the function has no default. */
  readonly isAssumed: boolean;
}

/** An integer that says how to compute, not what: a block size. */
interface BoundTunable {
  readonly name: string;
  /** Its name in pawl.yaml, and the macro with its value. */
  readonly macro: string;
  readonly values: readonly [number, ...number[]];
}

/** Device memory that the function works in. Its contents are not looked at. */
interface BoundWorkspace {
  readonly name: string;
  readonly element: string;
  /** Elements: a formula over the dimensions. */
  readonly count: string;
}

/** What is passed for each parameter, in order, by its index among its kind. */
export type Argument =
  | {
      readonly kind: 'tensor' | 'dim' | 'scalar' | 'tunable' | 'workspace';
      readonly index: number;
    }
  | { readonly kind: 'stream' };

/** A function with its parameters as tensors and dimensions. */
export interface Binding {
  readonly signature: Signature;
  readonly tensors: readonly BoundTensor[];
  readonly dims: readonly string[];
  readonly scalars: readonly BoundScalar[];
  readonly tunables: readonly BoundTunable[];
  readonly workspaces: readonly BoundWorkspace[];
  readonly arguments: readonly Argument[];
  /** The tensor that holds what the function returns. */
  readonly result: number | undefined;
}

export interface ToldRoles {
  /** Tensor name to its extents as written: `rows,cols`. */
  readonly shapes: Readonly<Record<string, string>>;
  readonly inout: readonly string[];
  /** Pointers that are not to const, and only read. */
  readonly inputs?: readonly string[];
  /** Pointers to memory that is not looked at, with their elements: a formula. */
  readonly workspaces?: Readonly<Record<string, string>>;
  readonly scalars: Readonly<Record<string, number>>;
  /** Integers that are tunables, with their values; the first is the default. */
  readonly tunables?: Readonly<Record<string, readonly [number, ...number[]]>>;
}

/**
 * Pointers to const are inputs, other pointers outputs, integers dimensions, floating numbers scalars; a number that is
 * returned is an output.
 *
 * @param isTaken whether an identifier stands in the source, where a macro of its name would be in the way
 */
export function bind(
  signature: Signature,
  {
    shapes,
    inout: names,
    inputs = [],
    workspaces: counts = {},
    scalars: values,
    tunables: choices = {},
  }: ToldRoles,
  isTaken: (identifier: string) => boolean = () => false,
): Binding {
  const told = {
    shapes: Object.fromEntries(Object.entries(shapes).map(([name, text]) => [pawlName(name), text])),
    inout: names.map(pawlName),
    inputs: inputs.map(pawlName),
  };
  const tensors: BoundTensor[] = [];
  const dims: string[] = [];
  const scalars: BoundScalar[] = [];
  const tunables: BoundTunable[] = [];
  const workspaces: BoundWorkspace[] = [];
  const passed: Argument[] = [];
  const integers = signature.parameters.filter(
    ({ name, type }) => type.kind === 'integer' && choices[name] === undefined,
  );
  const dimNames = integers.map(({ name }) => pawlName(name));
  const shapeOf = (name: string): string[] | undefined => {
    const text = told.shapes[name];
    return text === undefined ? undefined : parseShape(name, text, dimNames);
  };
  for (const { name: written, type, initial } of signature.parameters) {
    const name = pawlName(written);
    if (type.kind === 'pointer' && counts[written] !== undefined) {
      passed.push({ kind: 'workspace', index: workspaces.length });
      workspaces.push({ name, element: type.element, count: counts[written] });
    } else if (type.kind === 'pointer') {
      const isInout = told.inout.includes(name);
      const role = isInout ? 'inout' : type.isConst || told.inputs.includes(name) ? 'input' : 'output';
      passed.push({ kind: 'tensor', index: tensors.length });
      const { dtype, element, isConst } = type;
      tensors.push({ name, role, dtype, element, isConst, shape: shapeOf(name) });
    } else if (type.kind === 'integer' && choices[written] !== undefined) {
      passed.push({ kind: 'tunable', index: tunables.length });
      tunables.push({ name, macro: macroFor(name, isTaken), values: choices[written] });
    } else if (type.kind === 'integer') {
      passed.push({ kind: 'dim', index: dims.length });
      dims.push(name);
    } else if (type.kind === 'floating') {
      const known = values[written] ?? initial;
      passed.push({ kind: 'scalar', index: scalars.length });
      scalars.push({ name, element: type.element, value: known ?? 1, isAssumed: known === undefined });
    } else if (type.kind === 'stream') passed.push({ kind: 'stream' });
  }
  const { returns } = signature;
  // Beside outputs, an integer is rather a status than a result.
  const isResult =
    returns.kind === 'value' &&
    (['f32', 'f64'].includes(returns.dtype) || tensors.every(({ role }) => role === 'input'));
  const result = isResult ? tensors.length : undefined;
  if (isResult) {
    const { dtype, element } = returns;
    tensors.push({ name: 'result', role: 'output', dtype, element, isConst: false, shape: ['1'] });
  }
  const known = [...tensors, ...workspaces].map(({ name }) => name);
  const pointers = [
    ...Object.keys(told.shapes),
    ...told.inout,
    ...told.inputs,
    ...Object.keys(counts).map(pawlName),
  ];
  for (const name of pointers) {
    if (!known.includes(name)) {
      throw new PawlError(
        'usage',
        `${signature.name} has no pointer named ${name}.`,
        `Its pointers are ${known.join(', ')}.`,
      );
    }
  }
  const unknown = Object.keys(values).find(
    (name) => !scalars.some((scalar) => scalar.name === pawlName(name)),
  );
  if (unknown !== undefined) {
    throw new PawlError('usage', `${signature.name} has no floating-point parameter named ${unknown}.`);
  }
  const none = Object.keys(choices).find(
    (name) => !tunables.some((tunable) => tunable.name === pawlName(name)),
  );
  if (none !== undefined) {
    throw new PawlError(
      'usage',
      `${signature.name} has no integer parameter named ${none}.`,
      `A tunable is one of its integers: ${[...tunables.map(({ name }) => name), ...dims].join(', ') || 'none'}.`,
    );
  }
  return { signature, tensors, dims, scalars, tunables, workspaces, arguments: passed, result };
}

/** A macro of the parameter's own name would replace that name all over the source. */
function macroFor(name: string, isTaken: (identifier: string) => boolean): string {
  const upper = name.toUpperCase();
  return upper !== name && !isTaken(upper) ? upper : `TUNED_${upper}`;
}
