import type { Tolerance } from '../../config/tolerance.ts';
import { toleranceShare } from '../tolerance-share.ts';
import type { Verification } from '../../model/correctness/verification.ts';
import type { FuzzCase } from '../../model/problem/fuzz-case.ts';
import type { FuzzedKernel } from '../../model/correctness/fuzz-report.ts';

/** Keeps the element that came closest to its tolerance. */
export class WorstShare {
  #found: FuzzedKernel['worst'];

  get found(): FuzzedKernel['worst'] {
    return this.#found;
  }

  see(result: Verification, tolerance: Tolerance, each: FuzzCase): void {
    const share = toleranceShare(result, tolerance);
    if (share === undefined || share.share <= (this.#found?.share ?? 0)) return;
    this.#found = { ...share, index: [...share.index], case: each };
  }
}
