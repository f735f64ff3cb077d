import { isBroken, type SkippedKernel } from '../model/measure/skipped-kernel.ts';

/** What a comparison says of kernels that cannot run here. Those that do not build are cases of it, and incorrect. */
export function leftOutNotes(skipped: readonly SkippedKernel[]): string[] {
  return skipped
    .filter((one) => !isBroken(one))
    .map(({ kernel, message }) => `${kernel} is left out: ${message}`);
}
