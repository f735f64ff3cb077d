import { samplesCalledAs } from '../called-as.ts';
import { describeComparison } from '../describe-comparison.ts';
import type { Heard } from '../describe-judgement.ts';
import type { JudgePolicy } from '../judge-policy.ts';
import { judgementPlan } from '../judgement-plan.ts';
import { measureInBlocks, type Measured } from '../measure-in-blocks.ts';
import { SequentialJudge } from '../sequential.ts';
import { measuredSoFar } from '../measure-sides.ts';
import { settleCases, type SettledCases } from '../settle-cases.ts';
import { defined } from '../../model/defined.ts';
import { detectorOf, faultOf, isKernelsOwn } from '../../model/fault.ts';
import { commonProtections } from '../../model/sandbox.ts';
import type { Environment, Samples } from '../../model/samples.ts';
import type { RunContext } from '../../os/run-context.ts';
import type { BenchSettings } from '../../rig/bench-settings.ts';
import { interrupted } from '../../rig/prepare-targets.ts';
import type { PreparedSide } from '../../rig/prepared-side.ts';
import { recordSide, type RecordedSide } from '../../rig/recorded-side.ts';
import { verifyTargets } from '../../rig/verify-targets.ts';
import type { KeptJudge } from '../../runner/kept-judge.ts';
import type { Target } from '../../runner/target.ts';
import { Xoshiro128 } from '../../stats/index.ts';
import { fuzzCandidate, type JudgedFuzz } from './fuzz-candidate.ts';

interface Hearing {
  /** The reference, called as the candidate. */
  readonly base: PreparedSide;
  /** What its verification said. */
  readonly checked: Samples;
  readonly head: PreparedSide;
}

interface HearingOptions extends RunContext {
  readonly settings: BenchSettings;
  readonly policy: JudgePolicy;
  readonly keptJudge: KeptJudge;
  readonly environment: Environment;
  readonly budget_s?: number;
  /** Absent: the declared cases are all that is asked. */
  readonly fuzz?: JudgedFuzz;
}

/**
 * Compares a candidate with its oracle, the smallest case first, then in drawn cases, and ends at the first fault; what
 * is right is measured beside the reference, in interleaved blocks, until the answer is clear.
 */
export async function hearCandidate(
  { base, checked, head }: Hearing,
  options: HearingOptions,
): Promise<Heard> {
  const { settings, signal, onProgress, keptJudge, policy } = options;
  const recording = { modes: settings.modes, environment: options.environment };
  const candidate = await recordSide('head', head, recording);
  let protections: readonly string[] = [];
  const verified = await verifyTargets(candidate.targets.map(smallestFirst), candidate.recorder, {
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

  const before = candidate.builder.build();
  const isRight = areAllRight(before, verified);
  const fuzzed = isRight ? await fuzz({ base, head }, options) : undefined;
  if (signal.aborted) throw interrupted();
  const isFaulty = !isRight || fuzzed?.finding !== undefined;
  const settled = settleCases({ ...base, checked }, { ...head, checked: before }, { measureIdentical: true });
  const cases = isFaulty ? withoutOthers(settled, fuzzed?.finding?.case ?? wrongCase(before)) : settled;
  const reference = await recordSide('base', base, recording);
  const measured = isFaulty ? undefined : await measure({ reference, candidate }, options);
  if (signal.aborted) throw interrupted();
  const samples = { base: reference.builder.build(), head: candidate.builder.build() };
  const series = samples.head.measurements.flatMap((one) => one.series);
  return {
    comparison: describeComparison({
      ...cases,
      modes: settings.modes,
      look: measured?.look,
      samples: { ...samples, base: samplesCalledAs(samples.base, base.calledAs) },
      policy,
    }),
    samples: samples.head,
    ...defined({ fuzzed }),
    protections: series.length === 0 ? protections : (commonProtections(series) ?? []),
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

function fuzz({ base, head }: Pick<Hearing, 'base' | 'head'>, options: HearingOptions) {
  const [own, other] = [base.targets[0], head.targets[0]];
  if (options.fuzz === undefined || own === undefined || other === undefined) return undefined;
  const { settings, signal } = options;
  const { seed, timeout_ms } = settings;
  const now_ms = () => performance.now();
  return fuzzCandidate({ base: own, head: other }, { ...options.fuzz, seed, timeout_ms, signal, now_ms });
}

/** Cases that were left out after the one that is wrong. */
function withoutOthers(settled: SettledCases, wrong: string | undefined): SettledCases {
  return {
    ...settled,
    cases: settled.cases.map((one) => ({
      ...one,
      settled: one.settled ?? { verdict: 'undecided', reason: `it was not read, because of ${wrong}.` },
    })),
  };
}

function measure(
  { reference, candidate }: { readonly reference: RecordedSide; readonly candidate: RecordedSide },
  options: HearingOptions,
): Promise<Measured> {
  const { settings } = options;
  return measureInBlocks(
    new Map([
      ['base', reference],
      ['head', candidate],
    ]),
    {
      soFar: () => measuredSoFar({ base: reference, head: candidate }),
      judge: (policy, plan) => new SequentialJudge(policy, plan),
      // A candidate that a detector caught, or that crashed, has its answer.
      open: (judge) => ({ isOpen: (shared) => judge.isOpen(shared) && !hasFailed(candidate) }),
    },
    {
      ...options,
      plan: judgementPlan(settings.processes),
      random: new Xoshiro128(BigInt(settings.seed)),
      verified: true,
      seriesAtOnce: true,
      // It was checked when the problem was opened, and is the problem's own.
      trustedSide: 'base',
    },
  );
}

/** Losses that are the machine's doing are not among them. */
function hasFailed({ builder }: RecordedSide): boolean {
  const lost = builder.build().measurements.flatMap((one) => one.lost ?? []);
  return lost.some(({ reason }) => detectorOf(reason) !== undefined || isKernelsOwn(reason));
}
