import { isDeepStrictEqual } from 'node:util';

import { defined } from '../model/defined.ts';
import { blindTolerance } from '../model/correctness/blind-tolerance.ts';
import { faultOf, faultText, lostText } from '../model/measure/fault.ts';
import type { Samples } from '../model/measure/samples.ts';
import { recordedContents, type TensorSpec } from '../model/problem/tensor.ts';
import { variantText } from '../model/problem/variant.ts';
import type { Target } from '../runner/target.ts';
import { findCase, type FoundCase, type PreparedSide } from '../rig/prepared-side.ts';
import { isBroken } from '../model/measure/skipped-kernel.ts';
import { buildFault, type Settlement } from './build-fault.ts';
import { samplesCalledAs } from './called-as.ts';

/** A case of a kernel, in whatever mode. */
export interface CaseName {
  readonly kernel: string;
  readonly case: string;
}

/** What is known of a case before anything is timed: that it is to be, or why it need not or must not be. */
interface SettledCase extends CaseName {
  readonly settled: Settlement | undefined;
}

export interface SettledCases {
  /** Every case of the head that can run here, in its order. */
  readonly cases: readonly SettledCase[];
  /** Cases that only the base has, or has with other dimensions or tensors. */
  readonly missing: readonly CaseName[];
}

/** A side after its correctness check. */
export interface VerifiedSide extends PreparedSide {
  /** With checks and losses so far, and no series. */
  readonly checked: Samples;
}

export function settleCases(
  before: VerifiedSide,
  head: VerifiedSide,
  options: { readonly measureIdentical: boolean },
): SettledCases {
  const base = asCompared(before);
  const cases = namesOf(head).flatMap((name): SettledCase[] => {
    const settled = settle(name, base, head, options);
    if (settled === 'not-here') return [];
    const baseline_fault = baselineFault(name, base);
    return [{ ...name, settled: settled && { ...settled, ...defined({ baseline_fault }) } }];
  });
  const missing = namesOf(base).filter((name) => difference(name, base, head) !== undefined);
  const [own] = before.calledAs === undefined ? [] : before.plans;
  const underOwnName = (one: CaseName): CaseName => ({ kernel: own?.name ?? one.kernel, case: one.case });
  return { cases, missing: missing.map(underOwnName) };
}

/** With its kernel called as the one that it stands against. */
function asCompared(side: VerifiedSide): VerifiedSide {
  const { calledAs: name } = side;
  if (name === undefined) return side;
  return {
    ...side,
    plans: side.plans.map((plan) => ({ ...plan, name })),
    targets: side.targets.map((target) => ({ ...target, plan: { ...target.plan, name } })),
    skipped: side.skipped.map((one) => ({ ...one, kernel: name })),
    checked: samplesCalledAs(side.checked, name),
  };
}

function namesOf({ plans }: PreparedSide): CaseName[] {
  return plans.flatMap((plan) => plan.cases.map((each) => ({ kernel: plan.name, case: each.name })));
}

function settle(
  name: CaseName,
  base: VerifiedSide,
  head: VerifiedSide,
  options: { readonly measureIdentical: boolean },
): SettledCase['settled'] | 'not-here' {
  const skipped = head.skipped.find(({ kernel }) => kernel === name.kernel);
  if (skipped !== undefined) {
    if (!isBroken(skipped)) return 'not-here';
    return buildFault(name.kernel, skipped.message);
  }
  const wrong = faultOfCase(name, head);
  if (wrong !== undefined) {
    const { text: _, ...settled } = wrong;
    return settled;
  }
  const unproven = blindCase(name, head);
  if (unproven !== undefined) return unproven;

  const isNew = difference(name, base, head);
  if (isNew !== undefined) return { verdict: 'new', reason: isNew };
  // A change that fixes its base is fine. A kernel that was to be compared with a broken one has no answer.
  const verdict = base.calledAs === undefined ? 'new' : 'undecided';
  const baseSkipped = base.skipped.find(({ kernel }) => kernel === name.kernel);
  if (baseSkipped !== undefined) {
    return { verdict, reason: `the baseline cannot be measured: ${baseSkipped.message}` };
  }
  const baseFault = faultOfCase(name, base);
  if (baseFault !== undefined) {
    return { verdict, reason: `the baseline cannot be compared with: ${baseFault.text}.` };
  }
  if (!options.measureIdentical && areIdentical(targetOf(name, base), targetOf(name, head))) {
    return { verdict: 'maintained', reason: identicalText(targetOf(name, base), targetOf(name, head)) };
  }
  return undefined;
}

/** That the baseline itself is wrong, does not build, or could not be run. */
function baselineFault(name: CaseName, base: VerifiedSide): Settlement['baseline_fault'] {
  const skipped = base.skipped.find(({ kernel }) => kernel === name.kernel);
  if (skipped !== undefined) {
    return { verdict: isBroken(skipped) ? 'incorrect' : 'undecided', text: skipped.message };
  }
  const fault = faultOfCase(name, base);
  return fault && { verdict: fault.verdict, text: fault.text };
}

/** Why a case of one side has no partner on the other. */
function difference(name: CaseName, base: PreparedSide, head: PreparedSide): string | undefined {
  const before = findCase(base.plans, name.kernel, name.case);
  const after = findCase(head.plans, name.kernel, name.case);
  return caseDifference(before, after);
}

/** Why two cases of one name are not the same case. */
export function caseDifference(
  before: FoundCase | undefined,
  after: FoundCase | undefined,
): string | undefined {
  if (before === undefined || after === undefined) return 'the baseline does not have this case.';
  if (before.plan.device !== after.plan.device) {
    return `the baseline runs on ${before.plan.device}, this on ${after.plan.device}.`;
  }
  const isSame = (pick: (side: FoundCase) => unknown): boolean =>
    JSON.stringify(pick(before)) === JSON.stringify(pick(after));
  if (!isSame((side) => side.case.dims)) return 'the baseline has other dimensions under this name.';
  if (!isSame((side) => side.case.scalars)) return 'the baseline has other scalars under this name.';
  if (!isSame((side) => recordedContents(side.case.tensors)))
    return 'the baseline has other recorded inputs under this name.';
  if (!isSame((side) => side.case.tensors.map(withoutPlaces)))
    return 'the baseline has other tensors under this name.';
  return undefined;
}

/** Each side has its own folder, and what lies there was compared. */
function withoutPlaces(tensor: TensorSpec): object {
  return tensor.fill.kind === 'recorded'
    ? { ...tensor, fill: { ...tensor.fill, recordings: undefined } }
    : tensor;
}

/** What is known against a side's case before anything is timed. */
function faultOfCase(
  { kernel, case: name }: CaseName,
  { checked }: VerifiedSide,
): (Settlement & { readonly verdict: 'incorrect' | 'undecided'; readonly text: string }) | undefined {
  const found = checked.measurements.find((one) => one.kernel === kernel && one.case === name);
  const fault = found && faultOf(found, checked.environment?.seed);
  if (fault !== undefined) {
    const text = faultText(fault);
    return { verdict: 'incorrect', reason: `${text}, so it was not timed.`, fault, text };
  }
  // Memory ran out, or the device is gone: whether the kernel is right is not known.
  const lost = found?.lost?.[0];
  if (lost === undefined) return undefined;
  const text = lostText(lost);
  return { verdict: 'undecided', reason: `${text}, so it was not timed.`, text };
}

/** Nothing that a blind tolerance lets pass is known to be right, and no time of it counts. */
function blindCase({ kernel, case: name }: CaseName, { checked }: VerifiedSide): SettledCase['settled'] {
  const check = checked.measurements.find((one) => one.kernel === kernel && one.case === name)?.check;
  const found = blindTolerance(check);
  if (found === undefined) return undefined;
  return {
    verdict: 'undecided',
    reason: `${found.message}, so it was not timed. ${found.remedy}`,
    blind: check?.blind ?? [],
  };
}

function targetOf({ kernel }: CaseName, { targets }: PreparedSide): Target | undefined {
  return targets.find(({ plan }) => plan.name === kernel);
}

type Binary = NonNullable<Target['binary']>;

/** The same file; or another of which the same is loaded, compiled by the same compiler for the same device. */
function isSameCode(one: Binary | undefined, other: Binary | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  if (one.sha256 === other.sha256) return true;
  return (
    one.code_sha256 !== undefined &&
    one.code_sha256 === other.code_sha256 &&
    one.compiler === other.compiler &&
    one.arch === other.arch
  );
}

export function identicalText(one: Target | undefined, other: Target | undefined): string {
  return one?.binary?.sha256 === other?.binary?.sha256
    ? 'the binaries are identical.'
    : 'the machine code is the same: only parts that are not loaded differ, such as line information.';
}

/** The same code, run the same way. What Python loads is not fully known, since it has no binary of its own. */
export function areIdentical(one: Target | undefined, other: Target | undefined): boolean {
  return (
    isSameCode(one?.binary, other?.binary) &&
    one !== undefined &&
    other !== undefined &&
    one.open.threads === other.open.threads &&
    isDeepStrictEqual(one.open.env, other.open.env) &&
    isDeepStrictEqual(one.plan.prepare, other.plan.prepare) &&
    variantText(one.plan.variant) === variantText(other.plan.variant)
  );
}
