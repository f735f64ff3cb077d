import type { CasePlan } from '../config/plan-kernel.ts';
import type { Target } from '../runner/target.ts';

/** What was planned for a measurement. */
export function casePlanOf(
  one: { readonly kernel?: string | undefined; readonly case: string },
  targets: readonly Target[],
): CasePlan | undefined {
  return targets
    .find(({ plan }) => plan.name === one.kernel)
    ?.plan.cases.find(({ name }) => name === one.case);
}
