import { checkTarget } from '../../correctness/check-target.ts';
import { seedDigits } from '../../measure/schedule.ts';
import type { OnProgress } from '../../model/progress.ts';
import type { Target } from '../../runner/target.ts';
import type { Random } from '../../stats/index.ts';
import type { BenchRecorder } from './bench-recorder.ts';

/** Compares every case with its oracle and returns the targets less the cases that are wrong or cannot run. */
export async function checkTargets(
  targets: readonly Target[],
  recorder: BenchRecorder,
  options: {
    readonly timeout_ms: number;
    readonly random: Random;
    readonly signal: AbortSignal;
    readonly onProgress: OnProgress;
  },
): Promise<Target[]> {
  const { random, onProgress } = options;
  const total = targets.reduce((sum, target) => sum + target.plan.cases.length, 0);
  onProgress({ type: 'started', title: 'checking', total });
  const right: Target[] = [];
  let before = 0;
  for (const target of targets) {
    const done = before;
    const outcomes = await checkTarget(target, {
      ...options,
      seed: () => seedDigits(random),
      onProgress: (step) => onProgress(step.type === 'step' ? { ...step, done: done + step.done } : step),
    });
    before += target.plan.cases.length;
    const cases = target.plan.cases.filter((plan) => {
      const outcome = outcomes.get(plan.name);
      return outcome === undefined || recorder.check(target, plan, outcome, onProgress);
    });
    if (cases.length > 0) right.push({ ...target, plan: { ...target.plan, cases } });
  }
  onProgress({ type: 'finished' });
  return right;
}
