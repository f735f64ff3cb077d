import type { Variant } from '../model/problem/variant.ts';
import { ExpressionError } from './expression/expression-error.ts';
import type { Expression } from './expression/expression.ts';
import type { CasePlan } from './plan-case.ts';

/**
 * CPUs that a kernel uses. A runner is pinned once for all its cases, so it is the most that any case needs.
 *
 * @throws {ExpressionError} when the formula gives no positive integer
 */
export function planThreads(
  formula: Expression | undefined,
  variant: Variant,
  cases: readonly Pick<CasePlan, 'name' | 'dims'>[],
): number {
  if (formula === undefined) return 1;
  const counts = cases.map(({ name, dims }) => {
    const values = Object.fromEntries(dims.map((dim) => [dim.name, dim.value]));
    const count = formula.evaluateNumber({ ...values, ...variant });
    if (Number.isSafeInteger(count) && count > 0) return count;
    throw new ExpressionError(formula.source, 0, `${count} threads in case ${name}, not a positive integer,`);
  });
  return Math.max(1, ...counts);
}
