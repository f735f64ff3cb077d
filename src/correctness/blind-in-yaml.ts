import type { KernelPlan } from '../config/plan-kernel.ts';
import type { Verification } from '../model/verification.ts';

/** A runner answers in the kernel's own precision; a document says what pawl.yaml should say. */
export function blindInYaml(
  result: Verification,
  { coarsening }: Pick<KernelPlan, 'coarsening'>,
): Verification {
  if (result.blind === undefined || coarsening === 1) return result;
  const blind = result.blind.map((one) => ({
    ...one,
    atol: one.atol / coarsening,
    rtol: one.rtol / coarsening,
  }));
  return { ...result, blind };
}
