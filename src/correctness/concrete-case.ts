import type { FuzzSpace } from '../config/fuzz-space.ts';
import type { CasePlan } from '../config/plan-case.ts';
import { scaledTolerance } from '../config/tolerance.ts';
import type { FuzzCase } from '../model/problem/fuzz-case.ts';
import { fillFor, scaleOf } from './case-values.ts';

/** What a runner is asked for a case of fuzzing. */
export interface ConcreteCase {
  readonly plan: CasePlan;
}

/** Undefined where the kernel's problem has no such case. */
export function concreteCase(space: FuzzSpace, name: string, each: FuzzCase): ConcreteCase | undefined {
  const plan = space.plan(name, each.dims, each.dtype);
  if (plan === undefined) return undefined;
  const { huge } = space.parts;
  const tensors = plan.tensors.map((tensor) => {
    const values = Object.hasOwn(each.values, tensor.name) ? each.values[tensor.name] : undefined;
    const fill = values === undefined ? undefined : fillFor(values, tensor, huge);
    return fill === undefined ? tensor : { ...tensor, fill };
  });
  // `atol` is meant for values of about one; what is summed from larger ones has errors as much larger.
  const scale = Math.max(1, ...Object.values(each.values).map((values) => scaleOf(values, huge)));
  return { plan: { ...plan, tensors, tolerance: scaledTolerance(plan.tolerance, scale) } };
}
