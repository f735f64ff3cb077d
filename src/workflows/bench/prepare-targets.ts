import { join } from 'node:path';

import { buildAll } from '../../build/build-all.ts';
import type { BuildJob, BuildOutcome, Built } from '../../build/build-job.ts';
import { cudaArchs } from '../../build/cuda-archs.ts';
import { findSandbox } from '../../build/find-sandbox.ts';
import { kernelJob, oracleJob } from '../../build/kernel-jobs.ts';
import { packageRoot } from '../../build/package-root.ts';
import { buildRunners, runnerJob, timerJob } from '../../build/runner-recipes.ts';
import { sanitizedJob } from '../../build/sanitized-job.ts';
import type { LoadedConfig } from '../../config/load-config.ts';
import type { KernelPlan } from '../../config/plan-kernel.ts';
import { listGpus, type Gpu } from '../../device/gpus.ts';
import { findPython, type PythonLookup } from '../../device/python.ts';
import { PawlError } from '../../model/pawl-error.ts';
import type { OnProgress } from '../../model/progress.ts';
import type { Code } from '../../model/protocol.ts';
import type { CpuSanitizer } from '../../model/sanitizer.ts';
import type { RunnerCommand } from '../../runner/runner-process.ts';
import type { Target } from '../../runner/target.ts';

export interface SkippedKernel {
  readonly kernel: string;
  readonly reason: 'no-gpu' | 'no-python' | 'no-compiler' | 'no-sanitizer' | 'build-failed';
  readonly message: string;
  readonly hint: string | undefined;
}

export interface PreparedTargets {
  readonly targets: readonly Target[];
  readonly skipped: readonly SkippedKernel[];
  readonly gpu: Gpu | undefined;
}

export interface PrepareOptions {
  readonly loaded: Pick<LoadedConfig, 'root'>;
  /** Where the project's builds are kept; by default below its root. */
  readonly cacheDir?: string;
  readonly gpuIndex: number;
  /** Build native kernels on the CPU, and the runner that loads them, with these sanitizers. Default: with none. */
  readonly sanitize?: readonly CpuSanitizer[];
  readonly onProgress: OnProgress;
  readonly signal: AbortSignal;
}

/** Builds the kernels, their oracles and the runners they need. What cannot be measured here is skipped with its reason. */
export async function prepareTargets(
  plans: readonly KernelPlan[],
  options: PrepareOptions,
): Promise<PreparedTargets> {
  const { gpu, why } = await chooseGpu(plans, options.gpuIndex);
  const possible = plans.filter((plan) => plan.device === 'cpu' || gpu !== undefined);
  const python = possible.some(({ language }) => language === 'python') ? await findPython() : undefined;
  const parts = possible.map((plan) =>
    sanitizedParts(partsOf(plan, gpu?.info.compute_capability), options.sanitize ?? []),
  );
  const built = await buildParts(parts, options);
  // A build that was cancelled is not one that failed.
  if (options.signal.aborted) throw interrupted();

  const targets: Target[] = [];
  const skipped: SkippedKernel[] = [];
  const skip = (kernel: string, skip: Omit<SkippedKernel, 'kernel'>) => {
    skipped.push({ kernel, ...skip });
    options.onProgress({ type: 'note', level: 'warning', text: `${kernel} is left out: ${skip.message}` });
  };
  for (const { name, device } of plans) {
    if (device === 'cuda' && gpu === undefined)
      skip(name, { reason: 'no-gpu', message: why ?? NO_GPU, hint: GPU_HINT });
  }
  for (const part of parts) {
    const target = assemble(part, built, python, gpu);
    if ('reason' in target) skip(part.plan.name, target);
    else targets.push(target);
  }
  return { targets, skipped, gpu };
}

export function interrupted(): PawlError {
  return new PawlError('try-again', 'Interrupted before anything was measured.');
}

const NO_GPU = 'there is no GPU here';
const GPU_HINT = 'Measure it on a machine with an NVIDIA GPU.';

async function chooseGpu(
  plans: readonly KernelPlan[],
  index: number,
): Promise<{ readonly gpu?: Gpu; readonly why?: string }> {
  if (plans.every((plan) => plan.device === 'cpu')) return {};
  const list = await listGpus();
  if (list.status !== 'found') return { why: list.message };
  const gpu = list.gpus.find((each) => each.info.index === index);
  if (gpu !== undefined) return { gpu };
  const known = list.gpus.map((each) => `${each.info.index} (${each.info.name})`).join(', ');
  throw new PawlError('usage', `There is no GPU ${index} here.`, `GPUs: ${known}`);
}

/** What has to be built for one kernel. */
interface Parts {
  readonly plan: KernelPlan;
  readonly kernel: BuildJob | undefined;
  readonly oracle: BuildJob | undefined;
  /** The native runner, or the timer that the Python runner loads; a Python kernel on the CPU needs neither. */
  readonly own: BuildJob | undefined;
}

function partsOf(plan: KernelPlan, computeCapability: string | undefined): Parts {
  const archs = cudaArchs('auto', computeCapability);
  const own =
    plan.language !== 'python'
      ? runnerJob(plan.device, archs)
      : plan.device === 'cuda'
        ? timerJob(archs)
        : undefined;
  const kernelArchs = cudaArchs(plan.arch, computeCapability);
  return {
    plan,
    kernel: kernelJob(plan, kernelArchs),
    oracle: oracleJob(plan, kernelArchs),
    own,
  };
}

/** The oracle stays as it is: what it does is not under suspicion, and it would only be slower. */
function sanitizedParts(parts: Parts, sanitizers: readonly CpuSanitizer[]): Parts {
  const { plan, kernel, own } = parts;
  if (sanitizers.length === 0 || plan.device !== 'cpu') return parts;
  return {
    ...parts,
    kernel: kernel && sanitizedJob(kernel, sanitizers),
    own: own && sanitizedJob(own, sanitizers),
  };
}

type BuiltParts = ReadonlyMap<BuildJob, BuildOutcome>;

/** Pawl's own parts go to the user's cache, where every project finds them; the project's go to its own. */
async function buildParts(parts: readonly Parts[], options: PrepareOptions): Promise<BuiltParts> {
  const own = parts.flatMap((part) => part.own ?? []);
  const projects = parts.flatMap((part) => [part.kernel ?? [], part.oracle ?? []].flat());
  const { loaded, cacheDir, onProgress, signal } = options;
  const common = { onProgress, signal };
  const place = { root: loaded.root, ...(cacheDir === undefined ? {} : { cacheDir }) };
  const sandbox = (await findSandbox({ onProgress, signal })).program;
  const outcomes = [
    ...(own.length === 0 ? [] : await buildRunners(own, common)),
    ...(projects.length === 0 ? [] : await buildAll(projects, { ...place, ...common, sandbox })),
  ];
  return new Map([...own, ...projects].flatMap((job, index) => [[job, outcomes[index] as BuildOutcome]]));
}

function assemble(
  { plan, kernel, oracle, own }: Parts,
  built: BuiltParts,
  python: PythonLookup | undefined,
  gpu: Gpu | undefined,
): Target | Omit<SkippedKernel, 'kernel'> {
  const libraries = new Map<BuildJob | undefined, Built>();
  for (const job of [own, kernel, oracle]) {
    const outcome = job === undefined ? undefined : built.get(job);
    if (outcome === undefined) continue;
    if (outcome.status !== 'built' && outcome.status !== 'cached') return buildFailed(job, outcome);
    libraries.set(job, outcome);
  }
  const ownArtifact = libraries.get(own)?.artifact;
  const runner = plan.language === 'python' ? pythonRunner(python) : { command: ownArtifact ?? '', args: [] };
  if ('reason' in runner) return runner;
  const library = libraries.get(kernel);
  return {
    plan,
    runner,
    open: {
      device: plan.device,
      device_index: gpu?.info.index ?? 0,
      threads: plan.threads,
      kernel: codeOf(plan, library),
      ...(plan.language === 'python' && ownArtifact !== undefined ? { timer_library: ownArtifact } : {}),
    },
    oracle: oracleOf(plan, oracle, libraries.get(oracle)),
    binary: binaryOf(kernel, library),
  };
}

function buildFailed(job: BuildJob | undefined, outcome: BuildOutcome): Omit<SkippedKernel, 'kernel'> {
  const failure = outcome.status === 'failed' ? outcome : undefined;
  const what = job?.name ?? 'a part of it';
  const message = `${what} does not build: ${failure?.message ?? outcome.status}`;
  return {
    // A machine without a compiler says nothing about the kernel.
    reason: failure?.reason === 'compiler-missing' ? 'no-compiler' : 'build-failed',
    message,
    hint: failure?.hint ?? "See the compiler's whole output: pawl build --json",
  };
}

function pythonRunner(python: PythonLookup | undefined): RunnerCommand | Omit<SkippedKernel, 'kernel'> {
  if (python?.status === 'found') {
    return {
      command: python.path,
      // Unbuffered: what a kernel prints is out before its answer is.
      args: ['-B', '-u', '-X', 'utf8', join(packageRoot(), 'runner', 'python', 'pawl_runner')],
    };
  }
  const message = python?.message ?? 'Python was not looked for';
  return { reason: 'no-python', message, hint: 'Install Python 3, or name one in $PAWL_PYTHON.' };
}

function codeOf(plan: KernelPlan, library: Built | undefined): Code {
  if (library !== undefined) return { library: library.artifact };
  return { module: plan.module ?? '', function: plan.function ?? '' };
}

function oracleOf(
  { oracle }: KernelPlan,
  job: BuildJob | undefined,
  library: Built | undefined,
): Code | undefined {
  if (library !== undefined) {
    return { library: library.artifact, ...(job?.language === 'cuda' ? { memory: 'device' } : {}) };
  }
  return oracle !== undefined && 'module' in oracle ? oracle : undefined;
}

function binaryOf(job: BuildJob | undefined, library: Built | undefined): Target['binary'] {
  if (job === undefined || library === undefined) return undefined;
  return {
    sha256: library.sha256,
    toolchain: job.language,
    compiler: `${library.compiler.name} ${library.compiler.version}`,
    flags: [...library.flags],
    ...(job.arch.length === 0 ? {} : { arch: job.arch.join(',') }),
  };
}
