import { verifyTarget, type VerifyOptions } from '../correctness/verify-target.ts';
import { seedFor } from '../measure/schedule.ts';
import { KeptJudge } from '../runner/kept-judge.ts';
import type { Target } from '../runner/target.ts';
import type { BenchRecorder } from './bench-recorder.ts';

/** Compares every case with its oracle and returns the targets less the cases that are wrong or cannot run. */
export async function verifyTargets(
  targets: readonly Target[],
  recorder: BenchRecorder,
  options: Omit<VerifyOptions, 'seed' | 'judge'> & {
    /** The run's. */
    readonly seed: string;
    /** Where the caller keeps one. Default: a judge for these targets. */
    readonly keptJudge?: KeptJudge;
  },
): Promise<Target[]> {
  const { onProgress } = options;
  const total = targets.reduce((sum, target) => sum + target.plan.cases.length, 0);
  onProgress({ type: 'started', title: 'checking', work: 'check', total });
  const right: Target[] = [];
  let before = 0;
  const judge = options.keptJudge ?? new KeptJudge();
  try {
    for (const target of targets) {
      const done = before;
      const outcomes = await verifyTarget(target, {
        ...options,
        judge,
        seed: (plan, purpose) => seedFor(options.seed, target.plan.name, plan.name, purpose),
        onProgress: (step) => onProgress(step.type === 'step' ? { ...step, done: done + step.done } : step),
      });
      before += target.plan.cases.length;
      const cases = target.plan.cases.filter((plan) => {
        const outcome = outcomes.get(plan.name);
        return outcome === undefined || recorder.check(target, plan, outcome, onProgress);
      });
      if (cases.length > 0) right.push({ ...target, plan: { ...target.plan, cases } });
    }
  } finally {
    if (options.keptJudge === undefined) await judge.close();
  }
  onProgress({ type: 'finished' });
  return right;
}
