import { defined } from '../../model/defined.ts';
import type { FuzzedKernel } from '../../model/correctness/fuzz-report.ts';
import type { OnProgress } from '../../model/measure/progress.ts';
import type { Target } from '../../runner/target.ts';
import type { SkippedKernel } from '../../model/measure/skipped-kernel.ts';
import { caseSequence, declaredCount, type SequenceOptions } from '../../correctness/fuzz/case-sequence.ts';
import { fuzzKernel, type FuzzKernelOptions } from '../../correctness/fuzz/fuzz-kernel.ts';
import { FuzzProgress } from '../../correctness/fuzz/fuzz-progress.ts';
import { REFERENCE_HINT, type Subject } from '../../correctness/fuzz/reference-targets.ts';

/** A target, perhaps under sanitizers: `collect` then tells what they saw in a process that has ended. */
export interface FuzzTarget {
  readonly target: Target;
  readonly sanitizers?: readonly string[];
  readonly collect?: FuzzKernelOptions['collect'];
}

export interface FuzzTargetsOptions extends Pick<
  FuzzKernelOptions,
  'corpus' | 'commit' | 'variant' | 'audit' | 'maxFailures' | 'timeout_ms' | 'signal' | 'now'
> {
  /** Those of one kernel lie together. */
  readonly targets: readonly FuzzTarget[];
  readonly skipped: readonly SkippedKernel[];
  /** The oracles' references stand in the place of kernels. */
  readonly ofReferences: boolean;
  readonly sequence: SequenceOptions;
  /** For all kernels together. */
  readonly time_s: number | undefined;
  readonly onProgress: OnProgress;
}

/** Fuzzes one kernel after the other; each gets an equal part of the time that is left. */
export async function fuzzTargets(
  subjects: readonly Subject[],
  options: FuzzTargetsOptions,
): Promise<FuzzedKernel[]> {
  const { targets, time_s, now, onProgress } = options;
  const now_ms = () => now().getTime();
  const end_ms = time_s === undefined ? Infinity : now_ms() + time_s * 1000;
  const ready = subjects.flatMap((subject) =>
    targets
      .filter(({ target }) => target.plan.name === subject.plan.name)
      .map((each) => ({ subject, each, sequence: sequenceFor(subject, options) })),
  );
  const progress = new FuzzProgress({ onProgress, now_ms, time_s, cases: totalCases(ready) });
  const done: FuzzedKernel[] = [];
  for (const [index, { subject, each, sequence }] of ready.entries()) {
    const left_ms = end_ms - now_ms();
    const fuzzed = await fuzzKernel({
      ...options,
      ...each,
      space: subject.space,
      cases: caseSequence(subject.plan, subject.space, sequence),
      deadline_ms: now_ms() + left_ms / (ready.length - index),
      now_ms,
      onCase: (counts, name) => progress.see(subject.plan.name, counts, name),
    });
    const tools = each.sanitizers === undefined ? {} : { sanitizers: [...each.sanitizers] };
    done.push({ ...identityOf(subject), ...tools, ...fuzzed, ...hintFor(fuzzed, options) });
    progress.kernelDone();
  }
  progress.end();
  return subjects.flatMap((subject) => {
    const own = done.filter(({ kernel }) => kernel === subject.plan.name);
    return own.length === 0 ? [absent(subject, options)] : own;
  });
}

interface Ready {
  readonly subject: Subject;
  readonly sequence: SequenceOptions;
}

/** A reference is compared on the matrix, or on the named cases where there is none. */
function sequenceFor(
  { plan, space }: Subject,
  { ofReferences, sequence }: FuzzTargetsOptions,
): SequenceOptions {
  if (!ofReferences || sequence.names !== undefined || sequence.replay !== undefined) return sequence;
  if (space.parts.matrix.length > 0) return { ...sequence, matrix: true };
  return { ...sequence, names: plan.cases.map(({ name }) => name) };
}

/** Undefined where only the time ends the run. */
function totalCases(ready: readonly Ready[]): number | undefined {
  const counts = ready.map(({ subject: { plan, space }, sequence }) => {
    const isSelection = sequence.matrix || sequence.names !== undefined || sequence.replay !== undefined;
    return declaredCount(plan, space, sequence) + (isSelection ? 0 : sequence.count);
  });
  const total = counts.reduce((sum, count) => sum + count, 0);
  return Number.isFinite(total) ? total : undefined;
}

function identityOf({ plan }: Subject): Pick<FuzzedKernel, 'kernel' | 'problem' | 'device' | 'variant'> {
  return { kernel: plan.name, problem: plan.problem, device: plan.device, variant: plan.variant };
}

/** What to do about a reference that cannot be loaded. */
function hintFor(
  { absence }: Pick<FuzzedKernel, 'absence'>,
  { ofReferences }: FuzzTargetsOptions,
): Pick<FuzzedKernel, 'absence'> {
  if (absence === undefined || !ofReferences || absence.hint !== undefined) return {};
  return { absence: { ...absence, hint: REFERENCE_HINT } };
}

function absent(subject: Subject, { skipped, ofReferences }: FuzzTargetsOptions): FuzzedKernel {
  const found = skipped.find(({ kernel }) => kernel === subject.plan.name);
  return {
    ...identityOf(subject),
    state: 'absent',
    absence: found === undefined ? noOracle(subject, ofReferences) : absenceOf(found),
    counts: {},
    failures: [],
    notes: [],
    duration_s: 0,
  };
}

function absenceOf({ reason, message, hint }: SkippedKernel): NonNullable<FuzzedKernel['absence']> {
  return { reason, message, ...defined({ hint }) };
}

function noOracle({ plan }: Subject, ofReferences: boolean): NonNullable<FuzzedKernel['absence']> {
  if (ofReferences && plan.oracle !== undefined) {
    return { reason: 'no-reference', message: 'its oracle has no reference', hint: REFERENCE_HINT };
  }
  return {
    reason: 'no-oracle',
    message: `problem ${plan.problem} has no oracle and no checker`,
    hint: `Give it one: problems.${plan.problem}.oracle or .checker in pawl.yaml.`,
  };
}
