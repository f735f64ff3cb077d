import { basename, join } from 'node:path';

import { defined } from '../model/defined.ts';
import { buildAll } from '../build/build-all.ts';
import type { BuildJob, BuildOutcome, Built } from '../build/build-job.ts';
import { projectCacheDir } from '../build/cache-dirs.ts';
import { cudaArchs } from '../build/cuda-archs.ts';
import { findSandbox } from '../build/find-sandbox.ts';
import { checkerJob, generatorJob, kernelJob, oracleJob } from '../build/kernel-jobs.ts';
import { packageRoot } from '../build/package-root.ts';
import { buildRunners, candidateJob, defaultStreamJob, runnerJob } from '../build/runner-recipes.ts';
import { sanitizedJob, sanitizingJob } from '../build/sanitized-job.ts';
import type { LoadedConfig } from '../config/load-config.ts';
import type { KernelPlan } from '../config/plan-kernel.ts';
import { listGpus, type Gpu } from '../device/gpus.ts';
import { findPython, type PythonLookup } from '../device/python.ts';
import { PawlError } from '../model/pawl-error.ts';
import type { CheckerCode, Code, GeneratorCode } from '../model/measure/protocol.ts';
import type { CpuSanitizer } from '../model/correctness/sanitizer.ts';
import type { SkippedKernel } from '../model/measure/skipped-kernel.ts';
import type { Target } from '../runner/target.ts';
import type { RunContext } from '../os/run-context.ts';
import { withFastExtensions } from './fast-extensions.ts';

export interface PreparedTargets {
  readonly targets: readonly Target[];
  readonly skipped: readonly SkippedKernel[];
  readonly gpu: Gpu | undefined;
}

export interface PrepareOptions extends Pick<RunContext, 'signal' | 'onProgress'> {
  readonly loaded: Pick<LoadedConfig, 'root'>;
  /** Where the project's builds are kept; by default below its root. */
  readonly cacheDir?: string;
  readonly gpuIndex: number;
  /** Build native kernels on the CPU, and the runner that loads them, with these sanitizers. Default: with none. */
  readonly sanitize?: readonly CpuSanitizer[];
}

/** Builds the kernels, their oracles and the runners they need. What cannot be measured here is skipped with its reason. */
export async function prepareTargets(
  plans: readonly KernelPlan[],
  options: PrepareOptions,
): Promise<PreparedTargets> {
  const { gpu, why } = await chooseGpu(plans, options.gpuIndex);
  const possible = plans.filter((plan) => plan.device === 'cpu' || gpu !== undefined);
  const python = possible.some(needsPython) ? await findPython() : undefined;
  const parts = possible.map((plan) =>
    sanitizedParts(partsOf(plan, gpu?.info.compute_capability), options.sanitize ?? []),
  );
  const built = await buildParts(parts, options);
  // A build that was cancelled is not one that failed.
  if (options.signal.aborted) throw interrupted();
  refuseWithoutResources(built);

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
  if (python?.status !== 'found') return { targets, skipped, gpu };
  const { signal, onProgress, loaded } = options;
  const fast = await withFastExtensions(targets, python.path, { root: loaded.root, signal, onProgress });
  if (signal.aborted) throw interrupted();
  return { targets: fast, skipped, gpu };
}

/** Stops when the disk is full or the compiler was killed, so that no kernel is reported as one that does not build. */
function refuseWithoutResources(built: BuiltParts): void {
  for (const [{ name }, outcome] of built) {
    if (outcome.status !== 'failed' || outcome.reason !== 'out-of-resources') continue;
    throw new PawlError('unavailable', `${name} could not be built here: ${outcome.message}`, outcome.hint);
  }
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
  readonly generator: BuildJob | undefined;
  readonly checker: BuildJob | undefined;
  readonly judge: BuildJob;
  /** What a process for Python loads, where the kernel or its oracle is in Python. */
  readonly candidate: BuildJob | undefined;
  /** What it loads before CUDA's runtime. */
  readonly before: BuildJob | undefined;
}

function partsOf(plan: KernelPlan, computeCapability: string | undefined): Parts {
  const archs = cudaArchs('auto', computeCapability);
  const kernelArchs = cudaArchs(plan.arch, computeCapability);
  return {
    plan,
    kernel: kernelJob(plan, kernelArchs),
    oracle: oracleJob(plan, kernelArchs),
    generator: generatorJob(plan, kernelArchs),
    checker: checkerJob(plan),
    judge: runnerJob(plan.device, archs),
    candidate: needsPython(plan) ? candidateJob(plan.device, archs) : undefined,
    before: needsPython(plan) && plan.device === 'cuda' ? defaultStreamJob() : undefined,
  };
}

/** Whether the kernel, what judges it or what makes its inputs is a Python function. */
function needsPython({ language, oracle, checker, generator }: KernelPlan): boolean {
  const isJudgedThere = checker?.module !== undefined || (oracle !== undefined && 'module' in oracle);
  return language === 'python' || generator?.module !== undefined || isJudgedThere;
}

/** The oracle stays as it is: what it does is not under suspicion, and it would only be slower. */
function sanitizedParts(parts: Parts, sanitizers: readonly CpuSanitizer[]): Parts {
  const { plan, kernel, judge } = parts;
  if (sanitizers.length === 0 || plan.device !== 'cpu') return parts;
  return {
    ...parts,
    kernel: kernel && sanitizedJob(kernel, sanitizers),
    judge: sanitizingJob(judge, sanitizers),
  };
}

type BuiltParts = ReadonlyMap<BuildJob, BuildOutcome>;

/** Pawl's own parts go to the user's cache, where every project finds them; the project's go to its own. */
async function buildParts(parts: readonly Parts[], options: PrepareOptions): Promise<BuiltParts> {
  const own = parts.flatMap(({ judge, candidate, before }) => [judge, candidate ?? [], before ?? []].flat());
  const { loaded, onProgress, signal } = options;
  const cacheDir = options.cacheDir ?? projectCacheDir(loaded.root, process.env);
  const common = { onProgress, signal };
  const built = new Map<BuildJob, BuildOutcome>();
  const add = (jobs: readonly BuildJob[], outcomes: readonly BuildOutcome[]): void => {
    for (const [index, job] of jobs.entries()) built.set(job, outcomes[index] as BuildOutcome);
  };
  const sandbox = (await findSandbox({ onProgress, signal })).program;
  if (own.length > 0) add(own, await buildRunners(own, common));
  for (const [root, jobs] of jobsByRoot(parts, loaded.root)) {
    add(jobs, await buildAll(jobs, { root, cacheDir, ...common, sandbox }));
  }
  return built;
}

/** An oracle that another project lends is built in that project's folder, where its headers are. */
function jobsByRoot(parts: readonly Parts[], root: string): Map<string, BuildJob[]> {
  const jobs = new Map<string, BuildJob[]>();
  const add = (place: string, job: BuildJob | undefined): void => {
    if (job !== undefined) jobs.set(place, [...(jobs.get(place) ?? []), job]);
  };
  for (const { plan, kernel, oracle, generator, checker } of parts) {
    add(root, kernel);
    for (const job of [oracle, generator, checker]) add(plan.oracleFrom?.root ?? root, job);
  }
  return jobs;
}

function assemble(
  { plan, kernel, oracle, generator, checker, judge, candidate, before }: Parts,
  built: BuiltParts,
  python: PythonLookup | undefined,
  gpu: Gpu | undefined,
): Target | Omit<SkippedKernel, 'kernel'> {
  const libraries = new Map<BuildJob | undefined, Built>();
  for (const job of [judge, candidate, before, kernel, oracle, generator, checker]) {
    const outcome = job === undefined ? undefined : built.get(job);
    if (outcome === undefined) continue;
    if (outcome.status !== 'built' && outcome.status !== 'cached') return buildFailed(job, outcome);
    libraries.set(job, outcome);
  }
  const artifacts = [candidate, before].flatMap((job) => libraries.get(job)?.artifact ?? []);
  const forPython = candidate && pythonCandidate(python, artifacts);
  if (forPython !== undefined && 'reason' in forPython) return forPython;
  const library = libraries.get(kernel);
  return {
    plan,
    runner: {
      command: libraries.get(judge)?.artifact ?? '',
      args: [],
      ...defined({ environment: plan.environment }),
    },
    open: {
      device: plan.device,
      device_index: gpu?.info.index ?? 0,
      threads: plan.threads,
      kernel: codeOf(plan, library),
      ...defined({ candidate: forPython, env: plan.env }),
    },
    oracle: oracleOf(plan, oracle, libraries.get(oracle)),
    ...defined({
      generator: generatorOf(plan, generator, libraries.get(generator)),
      checker: checkerOf(plan, libraries.get(checker)),
    }),
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

/** How the judge starts a process that calls Python functions. */
function pythonCandidate(
  python: PythonLookup | undefined,
  libraries: readonly string[],
): { readonly command: string[] } | Omit<SkippedKernel, 'kernel'> {
  if (python?.status === 'found') {
    const program = join(packageRoot(), 'runner', 'python', 'pawl_candidate');
    // Unbuffered: what a kernel prints is out before its answer is.
    return { command: [python.path, '-B', '-u', '-X', 'utf8', program, ...libraries] };
  }
  const message = python?.message ?? 'Python was not looked for';
  return { reason: 'no-python', message, hint: 'Install Python 3, or name one in $PAWL_PYTHON.' };
}

function codeOf(plan: KernelPlan, library: Built | undefined): Code {
  const { module = '', function: name = '', init, prepare } = plan;
  if (library !== undefined) {
    return { library: library.artifact, sha256: library.sha256, ...defined({ prepare }) };
  }
  return { module, function: name, ...defined({ init, prepare }) };
}

function oracleOf(
  { oracle }: KernelPlan,
  job: BuildJob | undefined,
  library: Built | undefined,
): Code | undefined {
  if (library !== undefined) {
    const { artifact, sha256 } = library;
    return { library: artifact, sha256, ...(job?.language === 'cuda' ? { memory: 'device' } : {}) };
  }
  return oracle !== undefined && 'module' in oracle ? oracle : undefined;
}

function generatorOf(
  { generator }: KernelPlan,
  job: BuildJob | undefined,
  library: Built | undefined,
): GeneratorCode | undefined {
  if (library !== undefined) {
    const { artifact, sha256 } = library;
    return { library: artifact, sha256, ...(job?.language === 'cuda' ? { memory: 'device' } : {}) };
  }
  if (generator?.module === undefined) return undefined;
  const { module, function: name, weights } = generator;
  return { module, function: name, ...defined({ weights }) };
}

function checkerOf({ checker }: KernelPlan, library: Built | undefined): CheckerCode | undefined {
  if (checker === undefined) return undefined;
  const outputs = defined({ outputs: checker.outputs });
  if (checker.module !== undefined) return { module: checker.module, function: checker.function, ...outputs };
  if (library === undefined) return undefined;
  return {
    library: library.artifact,
    sha256: library.sha256,
    name: basename(checker.source),
    ...outputs,
  };
}

function binaryOf(job: BuildJob | undefined, library: Built | undefined): Target['binary'] {
  if (job === undefined || library === undefined) return undefined;
  return {
    sha256: library.sha256,
    ...defined({ code_sha256: library.code_sha256 }),
    toolchain: job.language,
    compiler: `${library.compiler.name} ${library.compiler.version}`,
    flags: [...library.flags],
    ...(job.arch.length === 0 ? {} : { arch: job.arch.join(',') }),
  };
}
