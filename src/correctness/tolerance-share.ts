import { ruleOf } from '../config/tolerance.ts';
import type { Tolerance } from '../config/tolerance.ts';
import type { Verification } from '../model/correctness/verification.ts';

export interface ToleranceShare {
  /** 1 is at the tolerance. */
  readonly share: number;
  readonly tensor: string;
  readonly index: readonly number[];
}

/** How close the worst element of a result came to its tolerance; undefined where all are exact. */
export function toleranceShare(result: Verification, tolerance: Tolerance): ToleranceShare | undefined {
  const shares = result.tensors.flatMap(({ name, worst, reference }): ToleranceShare[] => {
    if (worst === undefined || typeof worst.got !== 'number' || typeof worst.want !== 'number') return [];
    const rule = ruleOf(tolerance, name);
    const calibrated = (rule.factor ?? 0) * (reference?.max_abs_err ?? 0);
    const bound = Math.max(rule.atol + rule.rtol * Math.abs(worst.want), calibrated);
    const error = Math.abs(worst.got - worst.want);
    // Elements that a `share` excuses are beyond it.
    const share = rule.share === undefined ? error / bound : Math.min(1, error / bound);
    return error === 0 || bound === 0 ? [] : [{ share, tensor: name, index: worst.index }];
  });
  return shares.sort((a, b) => b.share - a.share)[0];
}
