import { defined } from '../../../model/defined.ts';
import type { LoadedConfig } from '../../../config/load-config.ts';
import { loadConfig } from '../../../config/load-config.ts';
import { planKernel, type KernelPlan } from '../../../config/plan-kernel.ts';
import { gitState } from '../../../device/environment.ts';
import { policyOf } from '../../../judge/judge-policy.ts';
import { comparedKernels, kernelPair, noSharedCase } from '../../../judge/kernel-pair.ts';
import { caseDifference } from '../../../judge/settle-cases.ts';
import type { Variant } from '../../../model/problem/variant.ts';
import { underJudge } from '../../../config/under-judge.ts';
import { holdBack } from '../../../judge/hold-back.ts';
import { ruleOnJudge, type Ruling } from '../../../ratchet/base-judge/rule-on-judge.ts';
import { compareSides, type CompareOutcome } from './compare-sides.ts';
import type { CompareOptions } from './hold-sides.ts';
import { findCase, prepareSide, selectOnSides } from '../../../rig/prepared-side.ts';
import { isAsked } from '../../../rig/select-kernels.ts';
import { Worktrees, type CheckedOut } from '../../../rig/worktrees.ts';
import { runContext } from '../../../os/run-context.ts';

export interface CompareRevisionsOptions extends CompareOptions {
  /** pawl.yaml or its folder; default: searched from the working directory upwards. */
  readonly config?: string;
  /** A commit, branch or tag, or `worktree`: the files as they are now. */
  readonly base: string;
  readonly head: string;
  readonly only?: readonly string[];
  readonly cases?: readonly string[];
  /** Variants of the one kernel in `only`, per side. Tunables that are left out have that side's defaults. */
  readonly variants?: { readonly base?: Variant; readonly head?: Variant };
  /** Whose oracles, cases and thresholds judge both sides. Default: those of the base. */
  readonly judge?: JudgeChoice;
  /** Accept that the head changes oracles, cases or thresholds, and judge both sides by them. Default false. */
  readonly acceptJudgeChange?: boolean;
}

/**
 * `revision`: that of another state; what the head alters about it is listed and holds the verdict back, as with the
 * base's. `ruled`: the caller has ruled on it, and says what comes of it. `head`: the head's own, in the comparison
 * of states that were judged long ago.
 */
type JudgeChoice =
  | { readonly by: 'revision'; readonly revision: string }
  | { readonly by: 'ruled'; readonly loaded: LoadedConfig }
  | { readonly by: 'head' };

/**
 * Builds two revisions, measures them side by side and returns a verdict per case. Cases, oracles, tolerances and
 * thresholds are those of the base.
 *
 * @throws {PawlError} as `compare` does
 */
export async function compareRevisions(options: CompareRevisionsOptions): Promise<CompareOutcome> {
  const running = runningOptions(options);
  const main = await loadConfig(options.config);
  const worktrees = new Worktrees(main, running.signal);
  try {
    const base = await worktrees.checkOut(options.base);
    const head = await worktrees.checkOut(options.head);
    const ruling = await rulingOn({ base, head, main, worktrees }, { ...options, ...running });
    const sides = {
      base: underJudge(base.loaded, ruling.judge),
      head: underJudge(head.loaded, ruling.judge),
    };
    const plans = selectOnSides(sides.base, sides.head, options);
    const building = { ...running, main, gpuIndex: options.gpu ?? 0 };
    const prepared = {
      base: await prepareSide(plans.base, { ...building, ...base }),
      head: await prepareSide(plans.head, { ...building, ...head }),
    };
    const outcome = await compareSides(prepared.base, prepared.head, {
      ...options,
      ...running,
      ...judging(ruling.judge, options),
      ...defined({
        timedCases: options.timedCases && timedNames(sides.head, plans.head, options.timedCases),
      }),
      root: main.root,
    });
    return { ...outcome, comparison: holdBack(outcome.comparison, ruling) };
  } finally {
    await worktrees.remove();
  }
}

/** As the head calls them: the judge may have other names. */
function timedNames(head: LoadedConfig, plans: readonly KernelPlan[], asked: readonly string[]): string[] {
  return plans.flatMap((plan) =>
    plan.cases.flatMap(({ name }) => (isAsked(head, { kernel: plan.name, case: name }, asked) ? name : [])),
  );
}

async function rulingOn(
  {
    base,
    head,
    main,
    worktrees,
  }: {
    readonly base: CheckedOut;
    readonly head: CheckedOut;
    readonly main: LoadedConfig;
    readonly worktrees: Worktrees;
  },
  options: CompareRevisionsOptions & ReturnType<typeof runningOptions>,
): Promise<Ruling> {
  const { judge: choice, only, acceptJudgeChange: accept = false, gpu: gpuIndex = 0 } = options;
  if (choice?.by === 'head') return { judge: head.loaded, judge_changes: [] };
  if (choice?.by === 'ruled') return { judge: choice.loaded, judge_changes: [] };
  const judge = choice === undefined ? base : await worktrees.checkOut(choice.revision);
  const { signal, onProgress, now } = options;
  return ruleOnJudge(judge.loaded, head.loaded, {
    main,
    accept,
    gpuIndex,
    signal,
    onProgress,
    now,
    ...defined({ only }),
  });
}

export interface CompareVariantsOptions extends CompareOptions {
  readonly config?: string;
  readonly kernel: string;
  /** The baseline; tunables that it leaves out have their defaults. */
  readonly a: Variant;
  readonly b: Variant;
  readonly cases?: readonly string[];
}

/**
 * Builds two variants of one kernel, measures them side by side and returns a verdict per case.
 *
 * @throws {PawlError} as `compare` does, and `usage` if a tunable or a value does not exist
 */
export async function compareVariants(options: CompareVariantsOptions): Promise<CompareOutcome> {
  const running = runningOptions(options);
  const loaded = await loadConfig(options.config);
  const git = await gitState(loaded.root);
  const building = { ...running, loaded, git, main: loaded, gpuIndex: options.gpu ?? 0 };
  const planOf = (variant: Variant) =>
    planKernel(loaded, options.kernel, {
      variant,
      ...defined({ cases: options.cases }),
    });
  const [a, b] = [planOf(options.a), planOf(options.b)];
  return compareSides(await prepareSide([a], building), await prepareSide([b], building), {
    ...options,
    ...running,
    ...judging(loaded, options),
    root: loaded.root,
  });
}

export interface CompareKernelsOptions extends CompareOptions {
  readonly config?: string;
  /** The kernel, and the reference that it is compared with. */
  readonly kernels: readonly string[];
  readonly cases?: readonly string[];
}

/**
 * Builds two kernels of one problem, measures them side by side and returns a verdict per case.
 *
 * @throws {PawlError} as `compare` does, and `bad-data` if the kernels solve different problems
 */
export async function compareKernels(options: CompareKernelsOptions): Promise<CompareOutcome> {
  const running = runningOptions(options);
  const loaded = await loadConfig(options.config);
  const pair = kernelPair(options.kernels);
  const planOf = (name: string) => planKernel(loaded, name, defined({ cases: options.cases }));
  const [plan, reference] = [planOf(pair.candidate), planOf(pair.reference)];
  const kernels = comparedKernels(pair, { candidate: plan.problem, reference: reference.problem });
  const differences = plan.cases.map(({ name }) =>
    caseDifference(findCase([reference], reference.name, name), findCase([plan], plan.name, name)),
  );
  if (differences.every((one) => one !== undefined)) throw noSharedCase(pair);
  const building = {
    ...running,
    loaded,
    git: await gitState(loaded.root),
    main: loaded,
    gpuIndex: options.gpu ?? 0,
  };
  const base = { ...(await prepareSide([reference], building)), calledAs: plan.name };
  const outcome = await compareSides(base, await prepareSide([plan], building), {
    ...options,
    ...running,
    ...judging(loaded, options),
    root: loaded.root,
  });
  return { ...outcome, comparison: { ...outcome.comparison, kernels } };
}

function runningOptions(options: CompareOptions) {
  const context = runContext(options);
  return { ...context, started: context.now() };
}

/** What is measured how, and what counts as a change. */
function judging({ config }: LoadedConfig, { policy }: CompareOptions) {
  return { config, policy: policyOf(config.thresholds, policy) };
}
