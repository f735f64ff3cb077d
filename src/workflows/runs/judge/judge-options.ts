import type { FuzzSettings } from '../../../config/fuzz-schema.ts';
import { planFuzz } from '../../../config/plan-fuzz.ts';
import type { KernelPlan } from '../../../config/plan-kernel.ts';
import type { JudgePolicy } from '../../../judge/judge-policy.ts';
import { defined } from '../../../model/defined.ts';
import type { Mode } from '../../../model/problem/mode.ts';
import type { Clocks } from '../../../model/measure/samples.ts';
import type { RunContext } from '../../../os/run-context.ts';
import { benchSettings, type BenchSettings } from '../../../rig/bench-settings.ts';
import type { CandidateAsked } from '../../../adopt/candidate/candidate-kernel.ts';
import type { JudgedFuzz } from '../../../judge/candidate/fuzz-candidate.ts';
import type { JudgedProblem, ProblemAsked } from '../../../adopt/candidate/judged-problem.ts';

/** How candidates are measured, and on which device. */
export interface JudgeOptions
  extends Omit<ProblemAsked, 'signal' | 'timeout_s'>, Omit<CandidateAsked, 'function'>, Partial<RunContext> {
  readonly modes?: readonly Mode[];
  /** The most processes per side; fewer are taken where the answer is clear. Default 24. */
  readonly processes?: number;
  /** Samples of each process. Default 12. */
  readonly samples?: number;
  /** A kernel that gives no answer for this long hangs. */
  readonly timeout_s?: number;
  /** Stop measuring a candidate after about this long, decided or not. Default: no limit. */
  readonly budget_s?: number;
  /** Generated cases in which a candidate has to be right; default: 50 if the problem has `fuzz`, else 0. */
  readonly fuzz?: number;
  readonly policy?: Partial<JudgePolicy>;
  readonly clocks?: Clocks['policy'];
  /** The index of the GPU in nvidia-smi. */
  readonly gpu?: number;
  /** How long to wait for a device that another Pawl is using. */
  readonly wait_s?: number;
}

/** The most processes per side. */
const PROCESSES = 24;
/** Processes differ by more than so many samples leave open (docs/results/judge.md). */
const SAMPLES = 12;
const WARMUP = 3;
/** Each takes some milliseconds, and most faults that `pawl fuzz` finds show in fewer. */
const FUZZ_CASES = 50;
/**
 * Of slow kernels few samples are enough: a series ends after this long. On a GPU that is a call of tens of
 * milliseconds with its new contents, which differs little from the next one.
 */
const SERIES_BUDGET_MS = { cpu: 1000, cuda: 300 } as const;

/** How a candidate is measured. Inputs of each candidate are drawn again. */
export function judgeSettings(
  { loaded }: JudgedProblem,
  device: KernelPlan['device'],
  { modes, processes = PROCESSES, samples = SAMPLES, timeout_s }: JudgeOptions,
): BenchSettings {
  const asked = {
    processes,
    samples,
    warmup: WARMUP,
    stopping: 'fixed' as const,
    ...defined({ modes, timeout_s }),
  };
  return { ...benchSettings(loaded.config.measure, asked), budget_ms: SERIES_BUDGET_MS[device] };
}

/** Generated cases in which a candidate has to be right; undefined: none. */
export function judgedFuzz(
  { loaded, reference }: JudgedProblem,
  { fuzz }: JudgeOptions,
): JudgedFuzz | undefined {
  const kernel = loaded.config.kernels[reference]!;
  const isDeclared = (kernel.fuzz ?? loaded.config.problems[kernel.problem]!.fuzz) !== undefined;
  const count = fuzz ?? (isDeclared ? FUZZ_CASES : 0);
  return count === 0 ? undefined : { space: planFuzz(loaded, reference), count };
}

/** What is drawn from is part of who judges; where nothing is drawn, nothing of it is. */
export function fuzzIdentity(problem: JudgedProblem, options: JudgeOptions): object {
  const fuzz = judgedFuzz(problem, options);
  return fuzz === undefined ? {} : { fuzz: { count: fuzz.count, ...declaredFuzz(problem) } };
}

function declaredFuzz({ loaded, reference }: JudgedProblem): object {
  const kernel = loaded.config.kernels[reference]!;
  const problem = loaded.config.problems[kernel.problem]!;
  const plain = (fuzz: FuzzSettings | undefined) =>
    fuzz && { ...fuzz, ...(fuzz.where && { where: fuzz.where.source }) };
  return defined({ problem: plain(problem.fuzz), kernel: plain(kernel.fuzz) });
}
