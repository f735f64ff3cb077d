import { buildAll } from '../../build/build-all.ts';
import type { BuildJob, BuildOutcome } from '../../build/build-job.ts';
import { cudaArchs, firstGpuCapability } from '../../build/cuda-archs.ts';
import { findSandbox } from '../../build/find-sandbox.ts';
import { checkerJob, generatorJob, kernelJob, oracleJob } from '../../build/kernel-jobs.ts';
import type { LoadedConfig } from '../../config/load-config.ts';
import type { KernelPlan } from '../../config/plan-kernel.ts';
import type { BuildReport, BuiltItem } from '../../model/reports/build-report.ts';
import { BUILD_SCHEMA } from '../../model/reports/build-report.ts';
import { defined } from '../../model/defined.ts';
import type { Variant } from '../../model/problem/variant.ts';
import { selectKernels } from '../../rig/select-kernels.ts';
import type { ProcessContext } from '../../os/run-context.ts';

/** The project, and which of its kernels to build in which variant. */
export interface BuildKernelsOptions extends Partial<Pick<ProcessContext, 'signal' | 'onProgress' | 'env'>> {
  readonly loaded: LoadedConfig;
  /** Names of kernels; default: all. */
  readonly only?: readonly string[];
  /** Values that replace the tunables' defaults. */
  readonly variant?: Variant;
  readonly dryRun?: boolean;
  readonly parallel?: number;
  /** For `arch: auto` (`9.0`); default: that of this machine's first GPU. */
  readonly computeCapability?: string;
  readonly now_ms?: () => number;
}

interface Item {
  readonly plan: KernelPlan;
  readonly part: BuiltItem['part'];
  readonly job: BuildJob | undefined;
}

/**
 * Builds kernels and their oracles, and returns an item for each. A failed build is an item with the compiler's errors.
 *
 * @throws {PawlError} of kind `usage` if pawl.yaml has no such kernel, tunable or value; `permission` or `unavailable`
 * if the build cache cannot be written
 */
export async function buildKernels(options: BuildKernelsOptions): Promise<BuildReport> {
  const { loaded, only, variant, computeCapability, now_ms = Date.now, ...rest } = options;
  const started_ms = now_ms();
  const plans = selectKernels(loaded, {
    ...defined({ only, variant }),
  });
  const capability = computeCapability ?? (await firstGpuCapability(plans));
  const items = plans.flatMap((plan): Item[] => {
    const archs = cudaArchs(plan.arch, capability);
    const kernel: Item = { plan, part: 'kernel', job: kernelJob(plan, archs) };
    const judging: Item[] = [
      { plan, part: 'oracle', job: oracleJob(plan, archs) },
      { plan, part: 'generator', job: generatorJob(plan, archs) },
      { plan, part: 'checker', job: checkerJob(plan) },
    ];
    return [kernel].concat(judging.filter(({ job }) => job !== undefined));
  });
  const jobs = items.flatMap(({ job }) => (job === undefined ? [] : [job]));
  const { dryRun, onProgress, signal, env } = options;
  const sandbox = dryRun === true ? undefined : await findSandbox(defined({ onProgress, signal, env }));
  const outcomes = await buildAll(jobs, { root: loaded.root, now_ms, sandbox: sandbox?.program, ...rest });
  const byJob = new Map(jobs.map((job, index) => [job, outcomes[index]]));
  return {
    schema: BUILD_SCHEMA,
    kernels: items.map((item) => builtItem(item, item.job === undefined ? undefined : byJob.get(item.job))),
    duration_ms: now_ms() - started_ms,
  };
}

function builtItem({ plan, part, job }: Item, outcome: BuildOutcome | undefined): BuiltItem {
  const head = {
    kernel: plan.name,
    part,
    language: job?.language ?? plan.language,
    variant: part === 'kernel' ? plan.variant : {},
  };
  if (job === undefined || outcome === undefined) {
    return { ...head, status: 'skipped', reason: 'A kernel in Python is not built.' };
  }
  const commands = outcome.commands.map((argv) => [...argv]);
  if (outcome.status === 'planned') return { ...head, status: 'planned', cached: outcome.cached, commands };
  if (outcome.status === 'failed') {
    const { status, reason, message, hint, log } = outcome;
    return { ...head, status, reason, message, ...defined({ hint }), log, commands };
  }
  const { status, artifact, sha256, key, compiler, duration_ms, log } = outcome;
  return {
    ...head,
    status,
    artifact,
    sha256,
    key,
    compiler,
    flags: [...outcome.flags],
    arch: [...job.arch],
    resources: [...outcome.resources],
    duration_ms,
    commands,
    log,
  };
}
