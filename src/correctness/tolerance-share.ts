import type { Tolerance } from '../config/tolerance.ts';
import type { Verification } from '../model/verification.ts';

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
    const calibrated = (tolerance.factor ?? 0) * (reference?.max_abs_err ?? 0);
    const bound = Math.max(tolerance.atol + tolerance.rtol * Math.abs(worst.want), calibrated);
    const error = Math.abs(worst.got - worst.want);
    return error === 0 || bound === 0 ? [] : [{ share: error / bound, tensor: name, index: worst.index }];
  });
  return shares.sort((a, b) => b.share - a.share)[0];
}
