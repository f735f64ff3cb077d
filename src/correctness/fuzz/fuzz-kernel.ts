import { defined } from '../../model/defined.ts';
import type { FuzzSpace } from '../../config/fuzz-space.ts';
import { CaseRunner, type CaseRunnerOptions } from '../case-runner.ts';
import { concreteCase } from '../concrete-case.ts';
import type { CasePlan } from '../../config/plan-kernel.ts';
import type { FuzzSource } from '../../model/problem/fuzz-case.ts';
import type { FuzzCounts, FuzzedKernel } from '../../model/correctness/fuzz-report.ts';
import type { Target } from '../../runner/target.ts';
import type { SequencedCase } from './case-sequence.ts';
import { KernelFailures, type FailureOptions } from './kernel-failures.ts';
import { WorstShare } from './worst-share.ts';

export interface FuzzKernelOptions extends Omit<FailureOptions, 'runner' | 'space' | 'target'> {
  readonly target: Target;
  readonly collect?: CaseRunnerOptions['collect'];
  readonly space: FuzzSpace;
  readonly cases: Iterable<SequencedCase>;
  readonly timeout_ms: number;
  /** `some`: the first case and every hundredth are also looked at for what takes many calls to see. */
  readonly audit: 'all' | 'some' | 'none';
  /** No further case is begun after this time. */
  readonly deadline_ms: number;
  readonly maxFailures: number;
  readonly onCase: (counts: Readonly<FuzzCounts>, name: string) => void;
}

const AUDIT_EVERY = 100;
/** A kernel that fails in case after case in a way that is known already has told what it had to tell. */
const MOST_FAILING_CASES = 25;
const MOST_HANGS = 3;
const MOST_NOTES = 5;

type Fuzzed = Omit<FuzzedKernel, 'kernel' | 'problem' | 'device' | 'variant' | 'sanitizers'>;

/** Runs the cases of one kernel until they, the time or the kernel's credit are used up. */
export async function fuzzKernel(options: FuzzKernelOptions): Promise<Fuzzed> {
  const { target, space, now_ms, signal } = options;
  const started_ms = now_ms();
  const runner = new CaseRunner(target, options);
  const failures = new KernelFailures({ ...options, runner });
  const worst = new WorstShare();
  const counts: Partial<Record<FuzzSource, FuzzCounts>> = {};
  const total: FuzzCounts = { passed: 0, failed: 0, skipped: 0 };
  const notes = new Set<string>();
  let absence: Fuzzed['absence'];
  let stopped: string | undefined;
  try {
    let checked = 0;
    for (const each of options.cases) {
      stopped = stopReason(options, failures);
      if (stopped !== undefined) break;
      const count = (how: keyof FuzzCounts) => {
        const own = (counts[each.source] ??= { passed: 0, failed: 0, skipped: 0 });
        own[how] += 1;
        total[how] += 1;
        options.onCase(total, each.name);
      };
      const concrete = concreteCase(space, each.name, each.case);
      const why = concrete === undefined ? 'a formula comes out wrong' : tooLarge(space, concrete.plan, each);
      if (concrete === undefined || why !== undefined) {
        notes.add(`${each.source} cases were left out: ${why}`);
        count('skipped');
        continue;
      }
      const audit = options.audit === 'all' || (options.audit === 'some' && checked % AUDIT_EVERY === 0);
      checked += 1;
      const outcome = await runner.check(concrete, each.case.seed, { audit });
      if (outcome.status === 'absent') {
        const { reason, message } = outcome;
        absence = { reason, message };
        break;
      }
      if (signal.aborted) continue;
      if (outcome.status === 'passed') worst.see(outcome.result, concrete.plan.tolerance, each.case);
      if (outcome.status === 'failed') await failures.add(each, outcome, audit);
      if (outcome.status === 'skipped') notes.add(outcome.message);
      count(outcome.status);
    }
  } finally {
    await runner.end();
  }
  const ran = total.passed + total.failed > 0;
  return {
    state: total.failed > 0 ? 'failed' : ran ? 'passed' : 'absent',
    ...(ran ? {} : { absence: absence ?? nothingRan([...notes]) }),
    counts,
    failures: failures.all,
    ...defined({ worst: worst.found, stopped }),
    notes: [...notes].slice(0, MOST_NOTES),
    duration_s: (now_ms() - started_ms) / 1000,
  };
}

function stopReason(options: FuzzKernelOptions, failures: KernelFailures): string | undefined {
  if (options.signal.aborted) return 'interrupted';
  if (failures.all.length >= options.maxFailures) return `${options.maxFailures} different failures found`;
  if (failures.hangs >= MOST_HANGS) return `it hung ${MOST_HANGS} times`;
  if (failures.failingCases >= MOST_FAILING_CASES) return `${MOST_FAILING_CASES} cases failed`;
  return options.now_ms() >= options.deadline_ms ? 'the time was up' : undefined;
}

function tooLarge(space: FuzzSpace, plan: CasePlan, { isAskedFor }: SequencedCase): string | undefined {
  if (isAskedFor || space.fits(plan)) return undefined;
  return 'larger than `fuzz.max_bytes` or `fuzz.max_operations` (--matrix and --case run them anyway)';
}

function nothingRan(notes: readonly string[]): NonNullable<Fuzzed['absence']> {
  return {
    reason: 'no-cases',
    message: notes[0] ?? 'there was no case to run',
    hint: 'Declare in pawl.yaml: cases, or `fuzz.dims` that fit `fuzz.max_bytes` and `fuzz.max_operations`; for --matrix, `fuzz.matrix`.',
  };
}
