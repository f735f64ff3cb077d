import type { KernelResources } from '../../model/build-report.ts';
import type { RejectedOutcome, Resources } from '../../model/study.ts';
import type { Variant } from '../../model/variant.ts';

/** The gates of one study (docs/tuning-space.md), with the kernel's settings and the device's limits in them. */
export interface TrialGates {
  beforeBuild(variant: Variant): RejectedOutcome | undefined;
  afterBuild(
    variant: Variant,
    compiled: readonly KernelResources[],
  ): { readonly rejected?: RejectedOutcome; readonly resources?: Resources };
}

export const NO_GATES: TrialGates = { beforeBuild: () => undefined, afterBuild: () => ({}) };

export function gatesOfStudy(_study: unknown): TrialGates {
  return NO_GATES;
}
