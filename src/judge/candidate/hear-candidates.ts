import { samplesCalledAs } from '../called-as.ts';
import { describeComparison } from '../describe-comparison.ts';
import type { Heard } from '../describe-judgement.ts';
import type { JudgePolicy } from '../judge-policy.ts';
import { judgementPlan } from '../judgement-plan.ts';
import { measureForAll, type Measured, type Question } from '../measure-in-blocks.ts';
import { SequentialJudge } from '../sequential.ts';
import { measuredSoFar } from '../measure-sides.ts';
import { settleCases, type SettledCases } from '../settle-cases.ts';
import type { SideLabel } from '../../measure/interleave.ts';
import { defined } from '../../model/defined.ts';
import { detectorOf, isKernelsOwn } from '../../model/measure/fault.ts';
import { commonProtections } from '../../model/device/sandbox.ts';
import type { Samples } from '../../model/measure/samples.ts';
import { interrupted } from '../../rig/prepare-targets.ts';
import type { PreparedSide } from '../../rig/prepared-side.ts';
import { recordSide, type RecordedSide } from '../../rig/recorded-side.ts';
import { Xoshiro128 } from '../../stats/index.ts';
import { verifyCandidate, type VerifiedCandidate, type VerifyOptions } from './verify-candidate.ts';

interface Hearing {
  readonly reference: PreparedSide;
  /** What the reference's verification said. */
  readonly checked: Samples;
  readonly candidates: readonly PreparedSide[];
}

interface HearingOptions extends VerifyOptions {
  readonly policy: JudgePolicy;
  /** For measuring each of them. */
  readonly budget_s?: number;
  /** Called once for each candidate, as soon as it is decided. `took_ms`: its share of the time. */
  readonly onHeard: (at: number, heard: Heard, took_ms: number) => void;
}

/** What kernels are matched by while they are measured: no two of them need the same name. */
const CALLED = 'candidate';

/**
 * Verifies candidates one after another. Those that are right are measured together beside one reference, in
 * interleaved blocks, each until its own answer is clear: the processes of the reference serve all of them.
 */
export async function hearCandidates(
  { reference, checked, candidates }: Hearing,
  options: HearingOptions,
): Promise<void> {
  const { settings, signal, environment, onHeard } = options;
  const base = await recordSide('base', reference, { modes: settings.modes, environment });
  const right: { readonly at: number; readonly verified: VerifiedCandidate; readonly took_ms: number }[] = [];
  const describe = (verified: VerifiedCandidate, measured?: Measured): Heard =>
    heardOf({ reference, checked, base: base.builder.build(), verified, measured }, options);

  for (const [at, head] of candidates.entries()) {
    const began_ms = performance.now();
    const verified = await verifyCandidate(reference, head, options);
    const took_ms = performance.now() - began_ms;
    if (verified.faulty === undefined) right.push({ at, verified, took_ms });
    else onHeard(at, describe(verified), took_ms);
  }
  if (right.length === 0) return;
  const labels = right.map(({ at }) => (candidates.length === 1 ? 'head' : `candidate ${at + 1}`));
  const sides = new Map<SideLabel, RecordedSide>([['base', { ...base, calledAs: CALLED }]]);
  for (const [index, { verified }] of right.entries()) {
    sides.set(labels[index]!, { ...verified.recorded, calledAs: CALLED });
  }
  await measureForAll(
    sides,
    right.map(({ verified }, index) => questionOf(base, verified, labels[index]!)),
    {
      ...options,
      plan: judgementPlan(settings.processes),
      random: new Xoshiro128(BigInt(settings.seed)),
      verified: true,
      seriesAtOnce: true,
      // It was checked when the problem was opened, and is the problem's own.
      trust: { base: 'kernel' },
      onMeasured: (index, measured, measuring_ms) => {
        if (signal.aborted) return;
        const { at, verified, took_ms } = right[index]!;
        onHeard(at, describe(verified, measured), took_ms + measuring_ms);
      },
    },
  );
  if (signal.aborted) throw interrupted();
}

/** Whether the candidate is faster than the reference. */
function questionOf(base: RecordedSide, { recorded, head }: VerifiedCandidate, label: SideLabel): Question {
  const kernel = nameOf(head);
  const sides = { base: { ...base, calledAs: kernel }, head: recorded };
  return {
    soFar: () => measuredSoFar(sides),
    judge: (policy, plan) => new SequentialJudge(policy, plan),
    wanted: (judge) => (shared, able) => {
      const pair = ['base', label];
      // A candidate that a detector caught, or that crashed, has its answer.
      const isOpen = judge.isOpen({ ...shared, kernel }) && !hasFailed(recorded);
      return isOpen && pair.every((one) => able.includes(one)) ? pair : [];
    },
  };
}

interface Described {
  readonly reference: PreparedSide;
  /** What the reference's verification said. */
  readonly checked: Samples;
  /** The reference's series. */
  readonly base: Samples;
  readonly verified: VerifiedCandidate;
  /** Absent where it was not measured. */
  readonly measured: Measured | undefined;
}

function heardOf(
  { reference, checked, base, verified, measured }: Described,
  { settings, policy }: HearingOptions,
): Heard {
  const { head, faulty, fuzzed, protections } = verified;
  const calledAs = nameOf(head);
  const settled = settleCases(
    { ...reference, calledAs, checked },
    { ...head, checked: verified.checked },
    { measureIdentical: true },
  );
  const samples = verified.recorded.builder.build();
  const series = samples.measurements.flatMap((one) => one.series);
  return {
    comparison: describeComparison({
      ...(faulty === undefined ? settled : withoutOthers(settled, faulty.case)),
      modes: settings.modes,
      look: measured?.look,
      samples: { base: samplesCalledAs(base, calledAs), head: samples },
      policy,
    }),
    samples,
    ...defined({ fuzzed }),
    protections: series.length === 0 ? protections : (commonProtections(series) ?? []),
  };
}

function nameOf({ plans }: PreparedSide): string {
  return plans[0]!.name;
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

/** Losses that are the machine's doing are not among them. */
function hasFailed({ builder }: RecordedSide): boolean {
  const lost = builder.build().measurements.flatMap((one) => one.lost ?? []);
  return lost.some(({ reason }) => detectorOf(reason) !== undefined || isKernelsOwn(reason));
}
