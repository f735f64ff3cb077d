import type { ResultOf } from '../../model/measure/protocol.ts';
import { openRunner, type OpenRunner } from '../../runner/open-runner.ts';
import { RunnerFailure } from '../../runner/runner-failure.ts';
import { prepareCase } from '../../runner/prepare-case.ts';
import type { CaptureRequest } from './profiler.ts';

export type Launches = NonNullable<ResultOf<'profile'>['functions']>;

/** What one call launches, from a runner without a profiler; undefined where it does not tell. */
export async function listLaunches(request: CaptureRequest): Promise<Launches | undefined> {
  const { target, timeout_ms, seed, signal } = request;
  if (target.plan.device !== 'cuda' || target.plan.language === 'python') return undefined;
  let runner: OpenRunner | undefined;
  try {
    runner = await openRunner(target, timeout_ms);
    if (signal.aborted) return undefined;
    await prepareCase(runner.process, target, request.case, { seed, sets: 1, timeout_ms });
    const { functions } = await runner.process.request(
      { op: 'profile', launches: 1, list: true },
      timeout_ms,
    );
    return functions;
  } catch (error) {
    // A kernel that cannot run will say so once more under the profiler, where it counts.
    if (!(error instanceof RunnerFailure)) throw error;
    return undefined;
  } finally {
    await runner?.process.close();
  }
}
