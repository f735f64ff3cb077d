import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';

import { defined } from '../../model/defined.ts';
import { cudaArchs } from '../../build/cuda-archs.ts';
import { kernelJob } from '../../build/kernel-jobs.ts';
import { Expression } from '../../config/expression/expression.ts';
import type { Kernel } from '../../config/kernel-schema.ts';
import { judgeSources } from '../../config/judge-sources.ts';
import type { LoadedConfig } from '../../config/load-config.ts';
import { pick, planKernel, type CasePlan, type KernelPlan } from '../../config/plan-kernel.ts';
import { findCxx, findNvcc } from '../../device/compiler-versions.ts';
import { gitState, type GitState } from '../../device/environment.ts';
import type { Gpu } from '../../device/gpus.ts';
import { deviceLimits } from '../../device/device-limits.ts';
import { cpuModel } from '../../device/host.ts';
import type { Mode } from '../../model/problem/mode.ts';
import { PawlError } from '../../model/pawl-error.ts';
import type { StudyIdentity, StudySubject } from '../../model/tune/study-settings.ts';
import type { Target } from '../../runner/target.ts';
import { requirePoints } from '../space/explain-empty.ts';
import { extentText } from '../space/space-extent.ts';
import { spaceOfKernel } from '../space/space-of-kernel.ts';
import type { Space } from '../space/space.ts';
import { sourceHash } from './source-hash.ts';
import { buildJobs } from './build-jobs.ts';
import { refuseEmptyBench } from '../../rig/bench-result.ts';
import { prepareTargets } from '../../rig/prepare-targets.ts';
import { deviceOfStudy } from './device-of-study.ts';
import { trialGates, type TrialGates } from '../gates/trial-gates.ts';
import { VariantBuilder } from './variant-builder.ts';
import type { RunContext } from '../../os/run-context.ts';

/** One kernel and one case on one device, with everything that all of its variants share. */
export interface PreparedStudy {
  readonly loaded: LoadedConfig;
  /** The kernel in its default variant, with the one case. */
  readonly plan: KernelPlan;
  readonly case: CasePlan;
  readonly mode: Mode;
  readonly space: Space;
  readonly gates: TrialGates;
  readonly builder: VariantBuilder;
  /** Runner and oracle, without a kernel in it. */
  readonly bench: Target;
  readonly gpu: Gpu | undefined;
  readonly git: GitState | undefined;
  readonly archs: readonly string[];
  readonly subject: Omit<StudySubject, 'id' | 'created_at'>;
  readonly identity: StudyIdentity;
}

export interface PrepareStudyOptions extends RunContext {
  readonly kernel: string;
  readonly case: string;
  readonly mode: Mode | undefined;
  readonly gpuIndex: number;
  /** Builds at a time. */
  readonly jobs: number | undefined;
  readonly timeout_ms: number;
}

/** Builds the runner and the oracle, and says what the study is about. */
export async function prepareStudy(
  loaded: LoadedConfig,
  options: PrepareStudyOptions,
): Promise<PreparedStudy> {
  const plan = planKernel(loaded, options.kernel, { cases: [options.case] });
  const casePlan = plan.cases[0]!;
  const kernel = pick(loaded.config.kernels, options.kernel, 'kernel');
  if (Object.values(kernel.tunables).every(({ values }) => values.length < 2)) {
    throw new PawlError(
      'configuration',
      `Kernel ${plan.name} has nothing to tune.`,
      'Give it `tunables` with several values in pawl.yaml.',
    );
  }
  // A default that does not compile must not keep the others from being tried.
  const { targets, skipped, gpu } = await prepareTargets([{ ...plan, sources: [] }], {
    loaded,
    ...options,
  });
  options.signal.throwIfAborted();
  refuseEmptyBench(targets, skipped);
  const [bench] = targets;
  const mode = options.mode ?? loaded.config.measure.mode;
  const device = {
    kind: plan.device,
    name: gpu?.info.name ?? (await cpuModel()) ?? 'unknown CPU',
    ...defined({ uuid: gpu?.info.uuid }),
  };
  const git = await gitState(loaded.root);
  const archs = cudaArchs(plan.arch, gpu?.info.compute_capability);
  const builder = new VariantBuilder(
    { loaded, plan, bench: bench!, archs },
    { jobs: options.jobs ?? (await buildJobs(plan.language)), now: options.now },
  );
  const usual = await builder.build(plan, options.signal);
  const target = 'status' in usual ? undefined : usual.target;
  const info = await deviceOfStudy(target, gpu, options.timeout_ms);
  const space = spaceOfKernel(withinCpus(kernel), { cases: [casePlan], limits: deviceLimits(info) });
  const used = gpu?.state.memory_used_bytes;
  const memory = info.memory_bytes;
  const free_bytes = used === undefined || memory === undefined ? undefined : memory - used;
  requirePoints(space);
  const described = {
    parameters: space.parameters.map(({ name, kind, values }) => ({ name, kind, values: [...values] })),
    constraints: kernel.constraints.map(({ expression }) => expression.source),
    product: space.parameters.reduce((product, { values }) => product * values.length, 1),
    ...defined({ size: space.size }),
    extent: extentText(space.extent),
  };
  return {
    loaded,
    plan,
    case: casePlan,
    mode,
    space,
    gates: trialGates(kernel, casePlan, { info, free_bytes }),
    builder,
    bench: bench!,
    gpu,
    git,
    archs,
    subject: {
      kernel: plan.name,
      case: casePlan.name,
      mode,
      dims: Object.fromEntries(casePlan.dims.map(({ name, value }) => [name, value])),
      bytes: casePlan.bytes,
      ...defined({ operations: casePlan.operations }),
      device,
      default: plan.variant,
      space: described,
      ...defined({ commit: git?.commit, dirty: git?.dirty }),
    },
    identity: {
      sources: await sourceHash(loaded.root, sourcesOf(plan), plan.includeDirs),
      build: await buildText(plan, archs),
      space: hashOf([described.parameters, described.constraints]),
      case: hashOf([casePlan.dims, casePlan.tensors, ...(casePlan.scalars ?? [])]),
      mode,
      device: device.name,
    },
  };
}

/** A call that uses more CPUs than there are is refused by the runner: a search need not find that out. */
function withinCpus(kernel: Kernel): Kernel {
  if (kernel.device !== 'cpu' || kernel.threads === undefined) return kernel;
  const cpus = availableParallelism();
  const expression = Expression.parse(`(${kernel.threads.source}) <= ${cpus}`);
  const why = `this machine has ${cpus} CPUs`;
  return { ...kernel, constraints: [...kernel.constraints, { expression, why }] };
}

function sourcesOf(plan: KernelPlan): string[] {
  return [...plan.sources, ...(plan.module === undefined ? [] : [plan.module]), ...judgeSources(plan)];
}

/** As people read it, since a change is shown to them. */
async function buildText(plan: KernelPlan, archs: readonly string[]): Promise<string> {
  const job = kernelJob(plan, archs);
  if (job === undefined) return plan.language;
  // On a busy machine a compiler may be slow to answer; an answer that is missing would read as a change.
  const patient = { timeout_ms: 60_000 };
  const compiler = await (job.language === 'cuda' ? findNvcc(patient) : findCxx(patient));
  return [
    job.language === 'cuda' ? 'nvcc' : 'c++',
    compiler?.version ?? 'unknown',
    ...job.flags,
    ...job.links,
    ...job.arch,
  ].join(' ');
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}
