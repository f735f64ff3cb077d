import type { KernelPlan } from '../config/plan-kernel.ts';
import type { CheckResult } from '../model/check.ts';

/** A runner answers in the kernel's own precision; a document says what pawl.yaml should say. */
export function blindInYaml(
  result: CheckResult,
  { coarsening }: Pick<KernelPlan, 'coarsening'>,
): CheckResult {
  if (result.blind === undefined || coarsening === 1) return result;
  const blind = result.blind.map((one) => ({
    ...one,
    atol: one.atol / coarsening,
    rtol: one.rtol / coarsening,
  }));
  return { ...result, blind };
}
