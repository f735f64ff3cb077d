import { buildAll } from '../build/build-all.ts';
import type { BuildJob, Built } from '../build/build-job.ts';
import { cudaArchs, firstGpuCapability } from '../build/cuda-archs.ts';
import { findSandbox } from '../build/find-sandbox.ts';
import { kernelJob, oracleJob } from '../build/kernel-jobs.ts';
import type { KernelPlan } from '../config/plan-kernel.ts';
import { PawlError } from '../model/pawl-error.ts';
import type { RunContext } from '../os/run-context.ts';

export interface BuiltVariants {
  /** In the order of the plans; undefined of a kernel in Python. */
  readonly kernels: readonly (Built | undefined)[];
  /** Undefined where the oracle is in Python. */
  readonly oracle: Built | undefined;
}

/** The libraries of the variants, as Pawl measures them, and that of their oracle. */
export async function buildVariants(
  plans: readonly KernelPlan[],
  { root, signal, onProgress }: Pick<RunContext, 'signal' | 'onProgress'> & { readonly root: string },
): Promise<BuiltVariants> {
  const capability = await firstGpuCapability(plans);
  const archsOf = ({ arch }: KernelPlan) => cudaArchs(arch, capability);
  const jobs = plans.map((plan) => kernelJob(plan, archsOf(plan)));
  const [first] = plans;
  const oracle = first && oracleJob(first, archsOf(first));
  const all = [...jobs, oracle].filter((job) => job !== undefined);
  if (all.length === 0) return { kernels: jobs.map(() => undefined), oracle: undefined };
  const sandbox = await findSandbox({ signal, onProgress });
  const outcomes = await buildAll(all, { root, signal, onProgress, sandbox: sandbox.program });
  const byJob = new Map(all.map((job, at) => [job, outcomes[at]!]));
  const builtOf = (job: BuildJob | undefined): Built | undefined => {
    if (job === undefined) return undefined;
    const outcome = byJob.get(job)!;
    if (outcome.status === 'built' || outcome.status === 'cached') return outcome;
    const [message, hint] =
      outcome.status === 'failed' ? [outcome.message, outcome.hint] : ['it was not built', undefined];
    throw new PawlError('does-not-build', `${job.name} does not build: ${message}`, hint);
  };
  return { kernels: jobs.map(builtOf), oracle: builtOf(oracle) };
}
