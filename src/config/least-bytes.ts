import { integerRange } from '../model/problem/tensor.ts';
import type { TensorSpec } from '../model/problem/tensor.ts';
import type { CasePlan } from './plan-case.ts';

/**
 * The bytes that one call must touch, whatever its inputs hold. Undefined where inputs choose which elements of a
 * tensor are touched and the problem does not say how many at least (`bytes: {least: …}`): rows that were not asked
 * for are not read, those that many ask for are read once, and those that do not count are not written.
 */
export function leastBytes(plan: Pick<CasePlan, 'tensors' | 'bytes' | 'leastBytes'>): number | undefined {
  const isOpen =
    choosingTensors(plan.tensors).length > 0 ||
    plan.tensors.some(({ counted_by }) => counted_by !== undefined);
  return plan.leastBytes ?? (isOpen ? undefined : plan.bytes);
}

/** Integers that are read and could be indices or lengths: their values fit into another tensor. */
export function choosingTensors(tensors: readonly TensorSpec[]): TensorSpec[] {
  return tensors.filter((tensor) => {
    const { low, high } = rangeOf(tensor) ?? { low: -Infinity, high: Infinity };
    // −1 is what many put where there is nothing to choose.
    if (tensor.role === 'output' || low < -1) return false;
    return tensors.some((other) => other !== tensor && high <= elementsOf(other));
  });
}

/** Undefined for what is not integers. */
function rangeOf({ dtype, fill }: TensorSpec): { readonly low: number; readonly high: number } | undefined {
  if (integerRange(dtype) === undefined) return undefined;
  if (fill.kind === 'integers') return fill;
  return fill.kind === 'constant' ? { low: fill.value, high: fill.value } : undefined;
}

function elementsOf({ shape }: TensorSpec): number {
  return shape.reduce((product, extent) => product * extent, 1);
}
