import { sep } from 'node:path';

import { defined } from '../../model/defined.ts';
import { buildAll } from '../../build/build-all.ts';
import type { BuildJob } from '../../build/build-job.ts';
import { cudaArchs } from '../../build/cuda-archs.ts';
import { includeFiles } from '../../build/include-files.ts';
import { checkerJob, generatorJob, kernelJob, oracleJob } from '../../build/kernel-jobs.ts';
import { pythonFiles } from '../../build/python-files.ts';
import type { LoadedConfig } from '../../config/load-config.ts';
import { codeSources, libraryCode, recordedFiles } from '../../config/judge-sources.ts';
import { planKernel, type KernelPlan } from '../../config/plan-kernel.ts';
import { listGpus } from '../../device/gpus.ts';
import { askGit } from '../../os/git/run-git.ts';
import type { JudgeChange } from '../../model/judge/judge-change.ts';
import type { OnProgress } from '../../model/measure/progress.ts';

/** What a part of a judge is made of, absolute. */
export interface JudgeFiles {
  readonly kind: Extract<JudgeChange['kind'], 'oracle' | 'reference' | 'problem'>;
  /** `the oracle of attention`. */
  readonly what: string;
  /** That pawl.yaml names, then what the compiler read of the project, or the module imports from it. */
  readonly named: readonly string[];
  readonly included: readonly string[];
  /** Files that would take the place of one of these, were they there. */
  readonly rivals: readonly string[];
}

export interface JudgeBuild {
  /** Where builds are kept: the project's that was asked, so that a comparison finds them again. */
  readonly cacheDir: string;
  readonly gpuIndex: number;
  readonly signal: AbortSignal;
  readonly onProgress?: OnProgress;
}

interface Part extends Pick<JudgeFiles, 'kind' | 'what' | 'named'> {
  readonly plan: KernelPlan;
  readonly job: BuildJob | undefined;
}

/**
 * The files of the oracles of some kernels, and of a kernel that others are measured against: what the compiler said it
 * read when it built them, headers included. What does not build here, or is in Python, is read instead.
 */
export async function judgeFiles(
  judge: LoadedConfig,
  { kernels, reference }: { readonly kernels: readonly string[]; readonly reference?: string | undefined },
  options: JudgeBuild,
): Promise<JudgeFiles[]> {
  const plans = kernels.map((name) => planKernel(judge, name));
  const capability = await computeCapability(plans, options.gpuIndex);
  const parts = [
    ...plans.flatMap((plan) => oraclePart(plan, capability)),
    ...plans.flatMap(recordedPart),
    ...plans.filter(({ name }) => name === reference).map((plan) => referencePart(plan, capability)),
  ];
  const top = (await askGit(judge.root, ['rev-parse', '--show-toplevel'])) ?? judge.root;
  const isOfProject = (path: string): boolean => path.startsWith(`${top}${sep}`);
  const built = await filesByCompiler(judge, parts, options);
  return Promise.all(
    parts.map(async (part) => {
      const { kind, what, named } = part;
      const read = built.get(part)?.read ?? (await filesByReading(part, { root: judge.root, top }));
      return {
        kind,
        what,
        named,
        included: read.filter((path) => isOfProject(path) && !named.includes(path)),
        rivals: (built.get(part)?.rivals ?? []).filter(isOfProject),
      };
    }),
  );
}

function oraclePart(plan: KernelPlan, capability: string | undefined): Part[] {
  const { problem, generator, checker } = plan;
  const archs = cudaArchs(plan.arch, capability);
  const compiled = libraryCode(plan);
  const parts: Part[] = [
    {
      kind: 'oracle',
      what: `the oracle of ${problem}`,
      named: codeSources(plan).filter((path) => !compiled.includes(path)),
      plan,
      job: oracleJob(plan, archs),
    },
    {
      kind: 'oracle',
      what: `the generator of ${problem}`,
      named: libraryCode({ generator }),
      plan,
      job: generatorJob(plan, archs),
    },
    {
      kind: 'oracle',
      what: `the checker of ${problem}`,
      named: libraryCode({ checker }),
      plan,
      job: checkerJob(plan),
    },
  ];
  return parts.filter(({ named }) => named.length > 0);
}

/** Contents of inputs say what is asked, as fills in pawl.yaml do. */
function recordedPart(plan: KernelPlan): Part[] {
  const named = recordedFiles(plan);
  if (named.length === 0) return [];
  return [{ kind: 'problem', what: `a recorded input of ${plan.problem}`, named, plan, job: undefined }];
}

function referencePart(plan: KernelPlan, capability: string | undefined): Part {
  return {
    kind: 'reference',
    what: `the reference ${plan.name}`,
    named: [...plan.sources, ...(plan.module === undefined ? [] : [plan.module])],
    plan,
    job: kernelJob(plan, cudaArchs(plan.arch, capability)),
  };
}

async function filesByCompiler(
  judge: LoadedConfig,
  parts: readonly Part[],
  { cacheDir, signal, onProgress }: JudgeBuild,
): Promise<Map<Part, { readonly read: readonly string[]; readonly rivals: readonly string[] }>> {
  const compiled = parts.flatMap((part) => (part.job === undefined ? [] : [{ part, job: part.job }]));
  if (compiled.length === 0) return new Map();
  const outcomes = await buildAll(
    compiled.map(({ job }) => job),
    { root: judge.root, cacheDir, signal, ...defined({ onProgress }) },
  );
  return new Map(
    outcomes.flatMap((outcome, index) =>
      outcome.status === 'built' || outcome.status === 'cached'
        ? [[compiled[index]!.part, { read: outcome.dependencies, rivals: outcome.rivals }] as const]
        : [],
    ),
  );
}

/** Files that include nothing. */
const RECORDED = /\.(npy|safetensors)$/;

async function filesByReading(
  { named, plan }: Part,
  { root, top }: { readonly root: string; readonly top: string },
): Promise<string[]> {
  const code = named.filter((path) => !RECORDED.test(path));
  const lists = await Promise.all(
    code.map((path) =>
      path.endsWith('.py')
        ? pythonFiles(path, { root, top })
        : includeFiles([path], { includeDirs: plan.includeDirs, top }),
    ),
  );
  return [...new Set(lists.flat())];
}

/** As for the comparison itself, which then finds the same builds. */
async function computeCapability(plans: readonly KernelPlan[], index: number): Promise<string | undefined> {
  if (plans.every(({ device }) => device === 'cpu')) return undefined;
  const list = await listGpus();
  if (list.status !== 'found') return undefined;
  return list.gpus.find(({ info }) => info.index === index)?.info.compute_capability;
}
