import type { CasePlan } from '../config/plan-kernel.ts';
import type { Verification } from '../model/correctness/verification.ts';

/** A runner answers in the kernel's own precision; a document says what pawl.yaml should say. */
export function blindInYaml(
  result: Verification,
  { coarsening }: Pick<CasePlan, 'coarsening'>,
): Verification {
  if (result.blind === undefined) return result;
  const blind = result.blind.map((one) => {
    const { atol, rtol } = one;
    if (atol === undefined || rtol === undefined) return one;
    const times = coarsening[one.tensor] ?? { atol: 1, rtol: 1 };
    return { ...one, atol: atol / times.atol, rtol: rtol / times.rtol };
  });
  return { ...result, blind };
}
