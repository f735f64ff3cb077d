import { PawlError } from '../../model/pawl-error.ts';
import type { OnProgress } from '../../model/progress.ts';
import type { Study } from '../../model/study-report.ts';
import { profileKernel } from '../profile.ts';

export interface ProfileWinnerOptions {
  readonly config: string;
  readonly gpu: number;
  readonly wait_s: number;
  readonly signal: AbortSignal;
  readonly onProgress: OnProgress;
}

/** What limits the winner, or why nobody can say. A study does not fail for want of a profiler. */
export async function profileWinner(
  { kernel, case: name, mode, best }: Study,
  options: ProfileWinnerOptions,
): Promise<Study['profile']> {
  if (best === undefined) return undefined;
  try {
    const report = await profileKernel({ ...options, kernel, case: name, mode, variant: best.variant });
    if (report.skipped !== undefined) {
      const { message, remedy } = report.skipped;
      return { skipped: `${message.replace(/\.$/u, '')}. ${remedy}`.trim() };
    }
    const diagnosed = report.head?.diagnosis?.kernels[0];
    const finding = diagnosed?.findings[0];
    const summary =
      finding === undefined
        ? `The profile shows nothing to mend${diagnosed === undefined ? '' : ` in ${diagnosed.name}`}.`
        : `${finding.diagnosis} ${finding.fix}`;
    return { summary, ...(report.folder === undefined ? {} : { folder: report.folder }) };
  } catch (error) {
    if (!(error instanceof PawlError)) throw error;
    return { skipped: error.message };
  }
}
