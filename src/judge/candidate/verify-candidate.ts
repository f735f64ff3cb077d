import type { Fuzzed } from '../describe-judgement.ts';
import { defined } from '../../model/defined.ts';
import { faultOf } from '../../model/measure/fault.ts';
import type { Environment, Samples } from '../../model/measure/samples.ts';
import type { RunContext } from '../../os/run-context.ts';
import type { BenchSettings } from '../../rig/bench-settings.ts';
import { interrupted } from '../../rig/prepare-targets.ts';
import type { PreparedSide } from '../../rig/prepared-side.ts';
import { recordSide, type RecordedSide } from '../../rig/recorded-side.ts';
import { verifyTargets } from '../../rig/verify-targets.ts';
import type { KeptJudge } from '../../runner/kept-judge.ts';
import type { Target } from '../../runner/target.ts';
import { fuzzCandidate, type JudgedFuzz } from './fuzz-candidate.ts';

export interface VerifyOptions extends RunContext {
  readonly settings: BenchSettings;
  readonly keptJudge: KeptJudge;
  readonly environment: Environment;
  /** Absent: the declared cases are all that is asked. */
  readonly fuzz?: JudgedFuzz;
}

/** What comparing a candidate with its oracle came to. */
export interface VerifiedCandidate {
  readonly head: PreparedSide;
  /** Where its checks were recorded, and where its series will be. */
  readonly recorded: RecordedSide;
  readonly checked: Samples;
  readonly fuzzed?: Fuzzed;
  /** The case that it is wrong in, if it is known; absent where it is right and may be timed. */
  readonly faulty?: { readonly case: string | undefined };
  /** What confined its process. */
  readonly protections: readonly string[];
}

/** Compares a candidate with its oracle, the smallest case first, then in drawn cases, and ends at the first fault. */
export async function verifyCandidate(
  base: PreparedSide,
  head: PreparedSide,
  options: VerifyOptions,
): Promise<VerifiedCandidate> {
  const { settings, signal, onProgress, keptJudge, environment } = options;
  const recorded = await recordSide('head', head, { modes: settings.modes, environment });
  let protections: readonly string[] = [];
  const verified = await verifyTargets(recorded.targets.map(smallestFirst), recorded.recorder, {
    ...settings,
    signal,
    onProgress,
    keptJudge,
    audit: true,
    // The reference's verification has tried the tolerance.
    blind: false,
    stopAtFault: true,
    onOpened: (opened) => (protections = opened.protections ?? []),
  });
  if (signal.aborted) throw interrupted();

  const checked = recorded.builder.build();
  const isRight = areAllRight(checked, verified);
  const fuzzed = isRight ? await fuzz(base, head, options) : undefined;
  if (signal.aborted) throw interrupted();
  const isFaulty = !isRight || fuzzed?.finding !== undefined;
  return {
    head,
    recorded,
    checked,
    protections,
    ...defined({
      fuzzed,
      faulty: isFaulty ? { case: fuzzed?.finding?.case ?? wrongCase(checked) } : undefined,
    }),
  };
}

/** Cheap refusals first. */
function smallestFirst(target: Target): Target {
  const cases = target.plan.cases.toSorted((one, other) => one.bytes - other.bytes);
  return { ...target, plan: { ...target.plan, cases } };
}

/** Whether all cases may be timed. */
function areAllRight(samples: Samples, verified: readonly Target[]): boolean {
  const passed = verified.flatMap(({ plan }) => plan.cases.map(({ name }) => name));
  return samples.measurements.every(
    ({ case: name, check }) => check?.passed === true && passed.includes(name),
  );
}

function wrongCase({ measurements }: Samples): string | undefined {
  return measurements.find((one) => faultOf(one) !== undefined || one.lost !== undefined)?.case;
}

function fuzz(base: PreparedSide, head: PreparedSide, options: VerifyOptions) {
  const [own, other] = [base.targets[0], head.targets[0]];
  if (options.fuzz === undefined || own === undefined || other === undefined) return undefined;
  const { settings, signal } = options;
  const { seed, timeout_ms } = settings;
  const now_ms = () => performance.now();
  return fuzzCandidate({ base: own, head: other }, { ...options.fuzz, seed, timeout_ms, signal, now_ms });
}
