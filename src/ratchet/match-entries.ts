import { caseValues } from '../config/plan-case.ts';
import type { CasePlan, KernelPlan } from '../config/plan-kernel.ts';
import type { Baseline, BaselineEntry } from '../model/judge/baseline.ts';
import type { Mode } from '../model/problem/mode.ts';
import { variantText } from '../model/problem/variant.ts';

/** A case under check, and what it is checked against. */
export interface CheckedCase {
  readonly kernel: string;
  readonly case: string;
  readonly mode: Mode;
  /** Absent for a case that the baseline does not know on this device. */
  readonly entry: BaselineEntry | undefined;
}

/** Finds the entry of every case: that of the same variant, or else the newest of another one. */
export function matchEntries(
  plans: readonly KernelPlan[],
  modes: readonly Mode[],
  baseline: Baseline,
  deviceName: (plan: KernelPlan) => string | undefined,
): CheckedCase[] {
  return plans.flatMap((plan) =>
    plan.cases.flatMap((one) =>
      modes.map((mode): CheckedCase => {
        const ofKernel = baseline.entries.filter(
          ({ key }) => key.kernel === plan.name && key.mode === mode && key.device.name === deviceName(plan),
        );
        const named = ofKernel.filter(({ key }) => key.case === one.name);
        const entries = named.length > 0 ? named : ofKernel.filter((entry) => isRenamed(entry, one, plan));
        return { kernel: plan.name, case: one.name, mode, entry: bestOf(entries, variantText(plan.variant)) };
      }),
    ),
  );
}

/** A case that has another name now: its values are the same, and nothing has the old name any more. */
function isRenamed(
  { key, dims: then }: BaselineEntry,
  now: Pick<CasePlan, 'dims' | 'scalars'>,
  plan: KernelPlan,
): boolean {
  if (then === undefined || plan.cases.some(({ name }) => name === key.case)) return false;
  return hasDims(now, then);
}

export function hasDims(
  now: Pick<CasePlan, 'dims' | 'scalars'>,
  then: Readonly<Record<string, number>>,
): boolean {
  const values = Object.entries(caseValues(now));
  return Object.keys(then).length === values.length && values.every(([name, value]) => then[name] === value);
}

/**
 * A changed default of a tunable does not escape the ratchet: it is compared with what stood there before, and
 * becomes an entry of its own only as a confirmed improvement.
 */
function bestOf(entries: readonly BaselineEntry[], variant: string): BaselineEntry | undefined {
  const newestFirst = entries.toSorted((a, b) => b.provenance.time.localeCompare(a.provenance.time));
  return newestFirst.find(({ key }) => variantText(key.variant) === variant) ?? newestFirst[0];
}
