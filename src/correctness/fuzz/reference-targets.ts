import { defined } from '../../model/defined.ts';
import { usesCudaOracle } from '../../build/kernel-jobs.ts';
import { availableParallelism } from 'node:os';

import type { FuzzSpace } from '../../config/fuzz-space.ts';
import type { KernelPlan } from '../../config/plan-kernel.ts';
import type { Target } from '../../runner/target.ts';

/** A kernel and what its cases are drawn from. */
export interface Subject {
  readonly plan: KernelPlan;
  readonly space: FuzzSpace;
}

/** The function of an oracle's library that is a trusted implementation (runner/include/pawl_kernel.h). */
const REFERENCE = 'pawl_reference';

export const REFERENCE_HINT =
  "Give the oracle a reference in the tensors' own precision: `pawl_reference` in its source (C, C++, CUDA), or `reference: NAME` (Python).";

/** The oracles' own references in the place of kernels, one for each problem and device. Needs no kernel to be built. */
export function referenceSubjects(subjects: readonly Subject[]): Subject[] {
  const references = new Map<string, Subject>();
  for (const { plan, space } of subjects) {
    const { oracle, problem } = plan;
    const onDevice = oracle !== undefined && !('module' in oracle) && usesCudaOracle(plan, oracle);
    const inPython = oracle !== undefined && 'module' in oracle;
    const device = onDevice ? 'cuda' : inPython ? plan.device : 'cpu';
    const { module: _, function: __, init: ___, ...rest } = plan;
    const reference: KernelPlan = {
      ...rest,
      name: `${problem}.reference.${device}`,
      device,
      language: onDevice ? 'cuda' : inPython ? 'python' : 'c++',
      sources: [],
      flags: [],
      links: [],
      threads: 1,
      variant: {},
      ...(inPython
        ? { module: oracle.module, function: oracle.reference ?? '', ...defined({ init: oracle.init }) }
        : {}),
    };
    if (!references.has(reference.name)) {
      // The reference is the measure of all types; the problem's own are what its tolerance is for. Views are laid out
      // for it as they are for its oracle.
      references.set(reference.name, {
        plan: reference,
        space: space.with({ dtypes: [undefined], contiguous: true }),
      });
    }
  }
  return [...references.values()];
}

/** Whether there is a reference to run, as far as pawl.yaml tells. */
export function mayHaveReference({ oracle }: KernelPlan): boolean {
  return oracle !== undefined && (!('module' in oracle) || oracle.reference !== undefined);
}

/** Has the runner load the oracle's reference as the kernel. */
export function asReference(target: Target): Target {
  const { oracle } = target;
  if (oracle === undefined || !('library' in oracle)) return target;
  const kernel = { library: oracle.library, function: REFERENCE };
  // Nothing is timed: oracle and reference may have all CPUs.
  return { ...target, open: { ...target.open, kernel, threads: availableParallelism() } };
}
