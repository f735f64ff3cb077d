import { isBroken, type SkippedKernel } from '../model/measure/skipped-kernel.ts';
import { plainLines, plainText } from './text/plain-text.ts';

/** A kernel that was not measured, as every rendering shows it. */
export interface SkippedView {
  readonly kernel: string;
  /** The kernel's own doing, and not the machine's. */
  readonly isBroken: boolean;
  /** What happened, in the first line of it. */
  readonly what: string;
  /** What the compiler said besides. */
  readonly said: readonly string[];
  readonly hint: string | undefined;
}

/** As many lines as `pawl build` shows of a compiler's words. */
const SAID_LINES = 12;

export function skippedViews(skipped: readonly SkippedKernel[] = []): SkippedView[] {
  return skipped
    .map((one): SkippedView => {
      const [what = '', ...said] = plainLines(one.message, Infinity).slice(0, SAID_LINES);
      return {
        kernel: plainText(one.kernel),
        isBroken: isBroken(one),
        what,
        said,
        hint: one.hint === undefined ? undefined : plainText(one.hint),
      };
    })
    .toSorted((one, other) => Number(other.isBroken) - Number(one.isBroken));
}
