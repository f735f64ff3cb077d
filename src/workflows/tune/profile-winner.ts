import { join } from 'node:path';

import { defined } from '../../model/defined.ts';
import type { Gates } from '../../config/gates-schema.ts';
import { PawlError } from '../../model/pawl-error.ts';
import type { ProfileReport } from '../../model/profile/profile-report.ts';
import type { ProfileWarning, Study } from '../../model/tune/study-report.ts';
import { Facts } from '../../profile/facts/facts.ts';
import { readNcuFile } from '../../profile/ncu/ncu-file.ts';
import { gateSettings } from '../../tune/gates/gate.ts';
import { profileGate } from '../../tune/gates/profile-gate.ts';
import { profileKernel, type ProfileOptions } from '../runs/profile.ts';
import type { RunContext } from '../../os/run-context.ts';

export interface ProfileWinnerOptions
  extends Pick<ProfileOptions, 'profilers' | 'env'>, Pick<RunContext, 'signal' | 'onProgress'> {
  readonly config: string;
  /** As pawl.yaml has them for the kernel. */
  readonly gates: Gates | undefined;
  readonly gpu: number;
  readonly wait_s: number;
}

/** What limits the winner and which gates it does not pass, or why that is not known. A study does not fail for want of a profiler. */
export async function profileWinner(
  { kernel, case: name, mode, best }: Study,
  { gates, ...options }: ProfileWinnerOptions,
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
        ? `The profile shows nothing to fix${diagnosed === undefined ? '' : ` in ${diagnosed.name}`}.`
        : `${finding.diagnosis} ${finding.fix}`;
    const warnings = await warningsOf(report, gates, options);
    return {
      summary,
      ...(warnings.length === 0 ? {} : { warnings }),
      ...defined({ folder: report.folder }),
    };
  } catch (error) {
    if (!(error instanceof PawlError)) throw error;
    return { skipped: error.message };
  }
}

/** Of the launch that takes longest; perf counts nothing that these gates ask. */
async function warningsOf(
  { head, folder }: ProfileReport,
  gates: Gates | undefined,
  { env = process.env, signal }: Pick<ProfileWinnerOptions, 'env' | 'signal'>,
): Promise<ProfileWarning[]> {
  const raw = head?.files['raw'];
  if (raw === undefined || folder === undefined) return [];
  const { launches } = await readNcuFile(join(folder, raw), { env, signal });
  const [longest] = launches
    .map((launch) => new Facts(launch))
    .toSorted((one, other) => (other.have('duration_ns') ?? 0) - (one.have('duration_ns') ?? 0));
  return longest === undefined ? [] : profileGate(longest, gateSettings(gates));
}
