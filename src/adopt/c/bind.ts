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

/** What is passed for each parameter, in order: a tensor or dimension by its index. */
export type Argument =
  | { readonly kind: 'tensor' | 'dim'; readonly index: number }
  | { readonly kind: 'stream' };

/** A function with its parameters as tensors and dimensions. */
export interface Binding {
  readonly signature: Signature;
  readonly tensors: readonly BoundTensor[];
  readonly dims: readonly string[];
  readonly arguments: readonly Argument[];
  /** The tensor that holds what the function returns. */
  readonly result: number | undefined;
}

export interface ToldRoles {
  /** Tensor name to its extents as written: `rows,cols`. */
  readonly shapes: Readonly<Record<string, string>>;
  readonly inout: readonly string[];
}

/** Pointers to const are inputs, other pointers outputs, integers dimensions; a number that is returned is an output. */
export function bind(signature: Signature, { shapes, inout: names }: ToldRoles): Binding {
  const told = {
    shapes: Object.fromEntries(Object.entries(shapes).map(([name, text]) => [pawlName(name), text])),
    inout: names.map(pawlName),
  };
  const tensors: BoundTensor[] = [];
  const dims: string[] = [];
  const passed: Argument[] = [];
  const integers = signature.parameters.filter(({ type }) => type.kind === 'integer');
  const dimNames = integers.map(({ name }) => pawlName(name));
  const shapeOf = (name: string): string[] | undefined => {
    const text = told.shapes[name];
    return text === undefined ? undefined : parseShape(name, text, dimNames);
  };
  for (const { name: written, type } of signature.parameters) {
    const name = pawlName(written);
    if (type.kind === 'pointer') {
      const isInout = told.inout.includes(name);
      const role = isInout ? 'inout' : type.isConst ? 'input' : 'output';
      passed.push({ kind: 'tensor', index: tensors.length });
      tensors.push({ name, role, dtype: type.dtype, element: type.element, shape: shapeOf(name) });
    } else if (type.kind === 'integer') {
      passed.push({ kind: 'dim', index: dims.length });
      dims.push(name);
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
  return { signature, tensors, dims, arguments: passed, result };
}
