import type { KernelPlan } from '../../config/plan-kernel.ts';
import type { Gpu } from '../../device/gpus.ts';
import { prepareTargets, type PrepareOptions, type SkippedKernel } from '../bench/prepare-targets.ts';
import type { FuzzTarget } from './fuzz-targets.ts';
import { asReference } from './reference-targets.ts';

export interface PreparedFuzz {
  readonly targets: readonly FuzzTarget[];
  readonly skipped: readonly SkippedKernel[];
  readonly gpu: Gpu | undefined;
}

/** Builds what is to be fuzzed: kernels, or the references of their oracles in their place. */
export async function prepareFuzz(
  plans: readonly KernelPlan[],
  { ofReferences, ...options }: PrepareOptions & { readonly ofReferences: boolean },
): Promise<PreparedFuzz> {
  const { targets, skipped, gpu } = await prepareTargets(plans, options);
  return {
    targets: targets.map((target) => ({ target: ofReferences ? asReference(target) : target })),
    skipped,
    gpu,
  };
}
