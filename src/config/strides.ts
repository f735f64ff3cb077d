import { defined } from '../model/defined.ts';
import { isPacked, mayOverlap, storageBytes, type TensorSpec } from '../model/problem/tensor.ts';
import type { Expression } from './expression/expression.ts';
import type { Path } from './mistake.ts';

/** Axes that the judge knows of a view (MOST_AXES in runner/src/view.hpp). */
const MOST_AXES = 8;

interface Declared {
  readonly role: TensorSpec['role'];
  readonly shape: readonly Expression[];
  readonly strides?: readonly Expression[] | undefined;
  readonly offset?: Expression | undefined;
}

/** What is wrong with strides whatever the dimensions are. */
export function stridesFault(
  tensor: Declared,
): { readonly key: 'strides' | 'offset'; readonly message: string } | undefined {
  const { role, shape, strides, offset } = tensor;
  if (strides === undefined)
    return offset === undefined
      ? undefined
      : { key: 'offset', message: 'is only for a tensor with `strides`' };
  const wrong = (message: string) => ({ key: 'strides' as const, message });
  if (role !== 'input')
    return wrong('only an input can be a view; outputs and inouts lie as they are declared');
  if (strides.length !== shape.length)
    return wrong(`has ${strides.length} strides, and the shape ${shape.length} axes`);
  return shape.length > MOST_AXES ? wrong(`a view has ${MOST_AXES} axes at most`) : undefined;
}

type Compute = (
  formula: Expression,
  path: Path,
  isRight: (value: number) => boolean,
  wanted: string,
) => number | undefined;

/** Strides and offset in one case; empty of a tensor whose elements lie one after the other. */
export function planStrides(
  { strides, offset }: Declared,
  path: Path,
  compute: Compute,
): Pick<TensorSpec, 'strides' | 'offset'> {
  if (strides === undefined) return {};
  const amount = (formula: Expression, at: Path, why: string) =>
    compute(formula, at, isPlace, `an integer of 0 or more${why}`) ?? 0;
  return {
    strides: strides.map((stride, axis) =>
      amount(stride, [...path, 'strides', axis], ': PyTorch has no negative strides'),
    ),
    ...defined({ offset: offset && amount(offset, [...path, 'offset'], '') }),
  };
}

/** What is wrong with a view in one case. */
export function viewFault(
  tensor: TensorSpec,
): { readonly key: string; readonly message: string } | undefined {
  if (tensor.strides === undefined) return undefined;
  if (isPacked(tensor.dtype))
    return {
      key: 'strides',
      message: `a tensor of ${tensor.dtype} cannot be a view, because a byte holds two of its elements`,
    };
  if (!Number.isSafeInteger(storageBytes(tensor)))
    return { key: 'strides', message: 'reach over more than 2^53 bytes' };
  if (tensor.fill.kind === 'recorded' && mayOverlap(tensor))
    return {
      key: 'fill',
      message:
        'a recorded input may not share elements, which its strides let it do; record what is stored, or fill it',
    };
  return undefined;
}

function isPlace(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}
