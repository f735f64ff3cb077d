import { projectCacheDir } from '../build/cache-dirs.ts';
import type { LoadedConfig } from '../config/load-config.ts';
import { kernelNames, planKernel, type CasePlan, type KernelPlan } from '../config/plan-kernel.ts';
import type { GitState } from '../device/environment.ts';
import type { Gpu } from '../device/gpus.ts';
import type { SkippedKernel } from '../model/measure/skipped-kernel.ts';
import type { Variant } from '../model/problem/variant.ts';
import type { Target } from '../runner/target.ts';
import { prepareTargets } from './prepare-targets.ts';
import { isAsked, selectKernels, type Selection } from './select-kernels.ts';
import type { RunContext } from '../os/run-context.ts';

/** One side of a comparison: what it plans, and what of that could be built here. */
export interface PreparedSide {
  readonly plans: readonly KernelPlan[];
  readonly targets: readonly Target[];
  readonly skipped: readonly SkippedKernel[];
  readonly gpu: Gpu | undefined;
  readonly git: GitState | undefined;
  /** What its one kernel is called in the comparison, where it stands against a kernel of another name. */
  readonly calledAs?: string;
}

export interface PrepareSideOptions extends Pick<RunContext, 'signal' | 'onProgress'> {
  readonly loaded: LoadedConfig;
  readonly git: GitState | undefined;
  /** The project that was asked, whose cache both sides share. */
  readonly main: LoadedConfig;
  readonly gpuIndex: number;
}

export async function prepareSide(
  plans: readonly KernelPlan[],
  { git, main, ...options }: PrepareSideOptions,
): Promise<PreparedSide> {
  const cacheDir = projectCacheDir(main.root, process.env);
  const prepared = await prepareTargets(plans, { ...options, cacheDir });
  return { plans, git, ...prepared };
}

/** The kernels and cases asked for on both sides. One that only one side has is new or missing, not a mistake. */
export function selectOnSides(
  base: LoadedConfig,
  head: LoadedConfig,
  selection: Selection & { readonly variants?: { readonly base?: Variant; readonly head?: Variant } },
): { readonly base: readonly KernelPlan[]; readonly head: readonly KernelPlan[] } {
  const { variants } = selection;
  const plans = {
    base: planSide(base, selection, variants?.base),
    head: planSide(head, selection, variants?.head),
  };
  const all = [...plans.base, ...plans.head];
  const isKnown =
    (selection.only ?? []).every((name) => all.some((plan) => plan.name === name)) &&
    (selection.cases ?? []).every((name) =>
      all.some((plan) =>
        plan.cases.some((each) =>
          [base, head].some((loaded) => isAsked(loaded, { kernel: plan.name, case: each.name }, [name])),
        ),
      ),
    );
  // Throws, and says what there is.
  if (!isKnown) selectKernels(head, selection);
  return plans;
}

function planSide(loaded: LoadedConfig, { only, cases }: Selection, variant: Variant = {}): KernelPlan[] {
  const names = kernelNames(loaded).filter((name) => only?.includes(name) !== false);
  return names.flatMap((name) => {
    const plan = planKernel(loaded, name, { variant });
    const own = plan.cases.filter(
      (each) => cases === undefined || isAsked(loaded, { kernel: name, case: each.name }, cases),
    );
    return own.length === 0 ? [] : [{ ...plan, cases: own }];
  });
}

export interface FoundCase {
  readonly plan: KernelPlan;
  readonly case: CasePlan;
}

export function findCase(plans: readonly KernelPlan[], kernel: string, name: string): FoundCase | undefined {
  const plan = plans.find((each) => each.name === kernel);
  const found = plan?.cases.find((each) => each.name === name);
  return plan === undefined || found === undefined ? undefined : { plan, case: found };
}
