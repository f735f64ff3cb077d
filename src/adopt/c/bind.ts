import { PawlError } from '../../model/pawl-error.ts';
import type { Dtype } from '../../model/tensor.ts';
import { pawlName } from '../pawl-name.ts';
import { parseShape } from '../shapes.ts';
import type { Signature } from './signature.ts';

/** A tensor of the call, and the C type of its elements. */
export interface BoundTensor {
  readonly name: string;
  readonly role: 'input' | 'output' | 'inout';
  readonly dtype: Dtype;
  readonly element: string;
  readonly shape: readonly string[] | undefined;
}

/** A floating number beside the tensors. */
interface BoundScalar {
  readonly name: string;
  readonly element: 'float' | 'double';
  readonly value: number;
  /** Nobody told it, and the function has no default. */
  readonly isAssumed: boolean;
}

/** What is passed for each parameter, in order: a tensor, dimension or scalar by its index. */
export type Argument =
  | { readonly kind: 'tensor' | 'dim' | 'scalar'; readonly index: number }
  | { readonly kind: 'stream' };

/** A function with its parameters as tensors and dimensions. */
export interface Binding {
  readonly signature: Signature;
  readonly tensors: readonly BoundTensor[];
  readonly dims: readonly string[];
  readonly scalars: readonly BoundScalar[];
  readonly arguments: readonly Argument[];
  /** The tensor that holds what the function returns. */
  readonly result: number | undefined;
}

export interface ToldRoles {
  /** Tensor name to its extents as written: `rows,cols`. */
  readonly shapes: Readonly<Record<string, string>>;
  readonly inout: readonly string[];
  readonly scalars: Readonly<Record<string, number>>;
}

/** Pointers to const are inputs, other pointers outputs, integers dimensions, floating numbers scalars; a number that is returned is an output. */
export function bind(signature: Signature, { shapes, inout: names, scalars: values }: ToldRoles): Binding {
  const told = {
    shapes: Object.fromEntries(Object.entries(shapes).map(([name, text]) => [pawlName(name), text])),
    inout: names.map(pawlName),
  };
  const tensors: BoundTensor[] = [];
  const dims: string[] = [];
  const scalars: BoundScalar[] = [];
  const passed: Argument[] = [];
  const integers = signature.parameters.filter(({ type }) => type.kind === 'integer');
  const dimNames = integers.map(({ name }) => pawlName(name));
  const shapeOf = (name: string): string[] | undefined => {
    const text = told.shapes[name];
    return text === undefined ? undefined : parseShape(name, text, dimNames);
  };
  for (const { name: written, type, initial } of signature.parameters) {
    const name = pawlName(written);
    if (type.kind === 'pointer') {
      const isInout = told.inout.includes(name);
      const role = isInout ? 'inout' : type.isConst ? 'input' : 'output';
      passed.push({ kind: 'tensor', index: tensors.length });
      tensors.push({ name, role, dtype: type.dtype, element: type.element, shape: shapeOf(name) });
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
    tensors.push({ name: 'result', role: 'output', dtype, element, shape: ['1'] });
  }
  const known = tensors.map(({ name }) => name);
  for (const name of [...Object.keys(told.shapes), ...told.inout]) {
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
    throw new PawlError('usage', `${signature.name} has no floating parameter named ${unknown}.`);
  }
  return { signature, tensors, dims, scalars, arguments: passed, result };
}
