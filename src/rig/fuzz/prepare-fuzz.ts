import type { KernelPlan } from '../../config/plan-kernel.ts';
import type { Gpu } from '../../device/gpus.ts';
import type { SkippedKernel } from '../../model/measure/skipped-kernel.ts';
import { prepareTargets, type PrepareOptions } from '../prepare-targets.ts';
import type { FuzzTarget } from './fuzz-targets.ts';
import { asReference } from '../../correctness/fuzz/reference-targets.ts';
import { sanitizedTargets, sanitizersNamed } from './sanitize.ts';

export interface PreparedFuzz {
  readonly targets: readonly FuzzTarget[];
  readonly skipped: readonly SkippedKernel[];
  readonly gpu: Gpu | undefined;
  /** Takes away what sanitizers wrote. */
  readonly dispose: () => Promise<void>;
}

/** Builds what is to be fuzzed: kernels, or the references of their oracles in their place. */
export async function prepareFuzz(
  plans: readonly KernelPlan[],
  {
    ofReferences,
    sanitize,
    ...options
  }: Omit<PrepareOptions, 'sanitize'> & {
    readonly ofReferences: boolean;
    /** Names of tools; empty: all that apply. */
    readonly sanitize: readonly string[] | undefined;
  },
): Promise<PreparedFuzz> {
  if (sanitize !== undefined) {
    const made = await sanitizedTargets(plans, { ...options, tools: sanitizersNamed(sanitize) });
    const targets = made.targets.map(({ target, tools, collect }) => ({
      target,
      sanitizers: tools,
      collect,
    }));
    return { ...made, targets };
  }
  const { targets, skipped, gpu } = await prepareTargets(plans, options);
  return {
    targets: targets.map((target) => ({ target: ofReferences ? asReference(target) : target })),
    skipped,
    gpu,
    dispose: () => Promise.resolve(),
  };
}
