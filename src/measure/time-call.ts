import type { CasePlan } from '../config/plan-kernel.ts';
import { STOPPING_RULES } from './stopping-rules.ts';
import { takeSeries } from './take-series.ts';
import type { Mode } from '../model/problem/mode.ts';
import type { RunContext } from '../os/run-context.ts';
import { openRunner, type OpenRunner } from '../runner/open-runner.ts';
import { prepareCase } from '../runner/prepare-case.ts';
import { RunnerFailure } from '../runner/runner-failure.ts';
import type { Target } from '../runner/target.ts';
import { median } from '../stats/index.ts';

export interface TimeCallOptions extends Pick<RunContext, 'signal' | 'now'> {
  readonly mode: Mode;
  readonly seed: string;
  readonly timeout_ms: number;
}

/** Beside a bound that is rough by itself, one process is enough; `pawl bench` takes more. */
const SAMPLES = 20;
const WARMUP = 5;

/** The median of a short series, without a profiler; undefined where the kernel fails, which a benchmark will tell. */
export async function timeCall_us(
  target: Target,
  plan: CasePlan,
  { mode, seed, timeout_ms, signal, now }: TimeCallOptions,
): Promise<number | undefined> {
  let runner: OpenRunner | undefined;
  try {
    runner = await openRunner(target, timeout_ms, { signal });
    await prepareCase(runner.process, target, plan, { seed, timeout_ms, signal });
    const { samples_ms } = await takeSeries(runner.process, {
      mode,
      timing: 'blocked',
      warmup: WARMUP,
      rule: STOPPING_RULES.fixed(SAMPLES),
      timeout_ms,
      budget_ms: timeout_ms,
      signal,
      now,
    });
    return 1000 * median(samples_ms);
  } catch (error) {
    if (!(error instanceof RunnerFailure)) throw error;
    return undefined;
  } finally {
    await runner?.process.close();
  }
}
