import type { CasePlan } from '../../config/plan-kernel.ts';
import type { OpenResult } from '../../model/measure/protocol.ts';
import { openKernel } from '../../runner/import-modules.ts';
import { RunnerFailure } from '../../runner/runner-failure.ts';
import { RunnerProcess, type RunnerCommand } from '../../runner/runner-process.ts';
import { prepareCase } from '../../runner/prepare-case.ts';
import type { Target } from '../../runner/target.ts';

export interface ProfileOnceOptions {
  readonly case: CasePlan;
  readonly seed: string;
  readonly timeout_ms: number;
  readonly signal: AbortSignal;
}

export interface ProfiledOnce {
  readonly opened: OpenResult | undefined;
  /** Why the call was not made, or not to its end. */
  readonly failure: RunnerFailure | undefined;
  /** What was printed last: by the kernel, and by the profiler around its runner. */
  readonly output: string;
}

/** Has a runner under a profiler make the one call that is looked at, and waits until the profiler has ended too. */
export async function profileOnce(
  target: Target,
  runner: RunnerCommand,
  options: ProfileOnceOptions,
): Promise<ProfiledOnce> {
  const { signal, timeout_ms, seed } = options;
  let deadline_ms = performance.now() + timeout_ms;
  const left_ms = () => Math.max(1, Math.round(deadline_ms - performance.now()));
  const process = new RunnerProcess(runner);
  const onAbort = (): void => process.kill();
  signal.addEventListener('abort', onAbort, { once: true });
  let opened: OpenResult | undefined;
  let failure: RunnerFailure | undefined;
  try {
    if (signal.aborted) process.kill();
    // A profiler around the judge follows it to its candidate, and could not do so into a sandbox.
    opened = await openKernel(
      process,
      target,
      { ...target.open, confined: false, followed: true },
      left_ms(),
    );
    // What a Python module took to be imported, and to compile in its first call, is not part of the call's time.
    if ('module' in target.open.kernel) deadline_ms = performance.now() + timeout_ms;
    await prepareCase(process, target, options.case, { seed, sets: 1, timeout_ms: left_ms() });
    if ('module' in target.open.kernel) deadline_ms = performance.now() + timeout_ms;
    await process.request({ op: 'profile', launches: 1 }, left_ms());
  } catch (error) {
    if (!(error instanceof RunnerFailure)) throw error;
    failure = error;
  } finally {
    await process.close(left_ms());
    signal.removeEventListener('abort', onAbort);
  }
  return { opened, failure, output: process.output };
}
