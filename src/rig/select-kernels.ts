import { defined } from '../model/defined.ts';
import type { LoadedConfig } from '../config/load-config.ts';
import { didYouMean } from '../model/text/did-you-mean.ts';
import { kernelNames, planKernel, type KernelPlan } from '../config/plan-kernel.ts';
import { PawlError } from '../model/pawl-error.ts';
import type { Variant } from '../model/problem/variant.ts';

export interface Selection {
  readonly only?: readonly string[];
  readonly cases?: readonly string[];
  readonly variant?: Variant;
}

/** The kernels and cases that were asked for. A case belongs to the kernels that have it; one that none has is a mistake. */
export function selectKernels(loaded: LoadedConfig, selection: Selection): KernelPlan[] {
  const names = selection.only ?? kernelNames(loaded);
  const plans = names.map((name) => planKernel(loaded, name, variantOption(selection)));
  const { cases } = selection;
  if (cases === undefined) return plans;
  const known = new Set(plans.flatMap((plan) => plan.cases.map((each) => each.name)));
  const isKnown = (wanted: string): boolean =>
    plans.some((plan) =>
      plan.cases.some(({ name }) => isAsked(loaded, { kernel: plan.name, case: name }, [wanted])),
    );
  const unknown = cases.find((name) => !isKnown(name));
  if (unknown !== undefined) {
    const all = [...known];
    throw new PawlError(
      'usage',
      `No kernel selected has a case "${unknown}"${didYouMean(unknown, all)}.`,
      `Cases: ${all.join(', ')}`,
    );
  }
  return plans.flatMap((plan) => {
    const own = plan.cases.filter(({ name }) => isAsked(loaded, { kernel: plan.name, case: name }, cases));
    return own.length === 0 ? [] : [{ ...plan, cases: own }];
  });
}

function variantOption({ variant }: Selection): { variant?: Variant } {
  return defined({ variant });
}

/** A case that the judge calls something else is asked for under either name. */
export function isAsked(
  { judge }: LoadedConfig,
  { kernel, case: name }: { readonly kernel: string; readonly case: string },
  wanted: readonly string[],
): boolean {
  const renamed = judge?.kernels.get(kernel)?.renamed;
  return wanted.some((one) => one === name || renamed?.get(one) === name);
}
