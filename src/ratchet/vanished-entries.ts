import { caseValues } from '../config/plan-case.ts';
import type { KernelPlan } from '../config/plan-kernel.ts';
import type { Baseline, BaselineEntry } from '../model/judge/baseline.ts';
import { caseId, caseLabel } from '../model/judge/case-key.ts';
import type { CaseKey } from '../model/judge/comparison.ts';
import type { Mode } from '../model/problem/mode.ts';
import { hasDims } from './match-entries.ts';

/** An entry that no case stands for any more. */
export interface VanishedEntry {
  readonly key: CaseKey;
  /** What became of it, in one sentence. */
  readonly text: string;
  /** A person accepted a judge without it. */
  readonly isAccepted: boolean;
}

export interface VanishedFrom {
  readonly plans: readonly KernelPlan[];
  /** Modes that are measured: an entry of another mode is not asked for. */
  readonly modes: readonly Mode[];
  /** Devices that are here. */
  readonly devices: readonly (string | undefined)[];
  /** Kernels and cases that were asked for; absent: all. */
  readonly only?: readonly string[] | undefined;
  readonly cases?: readonly string[] | undefined;
}

/**
 * Entries whose kernel or case is gone from pawl.yaml, or whose case has other dimensions now: their times are
 * compared with nothing, so what they guarded is not guarded any more.
 */
export function vanishedEntries(baseline: Baseline, from: VanishedFrom): VanishedEntry[] {
  const { plans, modes, devices, only, cases } = from;
  const newest = new Map<string, BaselineEntry>();
  for (const entry of baseline.entries) {
    const { kernel, case: name, mode, device } = entry.key;
    if (kernel === undefined || mode === undefined) continue;
    if (!modes.includes(mode) || !devices.includes(device.name)) continue;
    if (only?.includes(kernel) === false || cases?.includes(name) === false) continue;
    const id = caseId({ kernel, case: name, mode });
    const known = newest.get(id);
    if (known === undefined || known.provenance.time < entry.provenance.time) newest.set(id, entry);
  }
  const accepted = baseline.log.findLast(({ type }) => type === 'judge')?.time ?? '';
  return [...newest.values()].flatMap(({ key: { kernel, case: name, mode }, dims, provenance }) => {
    const key = { ...(kernel === undefined ? {} : { kernel }), case: name, ...(mode && { mode }) };
    const why = whyVanished(plans, { kernel, name, dims });
    if (why === undefined) return [];
    return [{ key, text: `${caseLabel(key)}: ${why}`, isAccepted: provenance.time < accepted }];
  });
}

function whyVanished(
  plans: readonly KernelPlan[],
  {
    kernel,
    name,
    dims,
  }: { readonly kernel: string | undefined; readonly name: string; readonly dims: BaselineEntry['dims'] },
): string | undefined {
  const plan = plans.find((one) => one.name === kernel);
  if (plan === undefined) return 'the baseline has it, and pawl.yaml has no such kernel';
  const named = plan.cases.find((one) => one.name === name);
  if (dims !== undefined && plan.cases.some((one) => hasDims(one, dims))) {
    // Under its own name, or under another one that is compared with it.
    if (named === undefined || hasDims(named, dims)) return undefined;
  }
  if (named === undefined) return 'the baseline has it, and pawl.yaml has no such case';
  if (dims === undefined || hasDims(named, dims)) return undefined;
  const text = (values: Readonly<Record<string, number>>) =>
    Object.entries(values)
      .map(([dim, value]) => `${dim}=${value}`)
      .join(', ');
  const what = named.scalars === undefined ? 'dimensions' : 'dimensions or scalars';
  return `it has other ${what} than its entry: ${text(dims)} → ${text(caseValues(named))}`;
}
