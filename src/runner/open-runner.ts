const { env } = process;

import type { OpenResult } from '../model/measure/protocol.ts';
import { demandProtections, sandboxMode } from '../model/device/sandbox.ts';
import { openKernel } from './import-modules.ts';
import { RunnerFailure } from './runner-failure.ts';
import { RunnerProcess } from './runner-process.ts';
import type { Target } from './target.ts';

export interface OpenRunner {
  readonly process: RunnerProcess;
  readonly opened: OpenResult;
  /** Whether a sandbox was asked for. */
  readonly confined: boolean;
  /** Whether the kernel's process may be a copy. */
  readonly isCopy: boolean;
}

export interface OpenRunnerOptions {
  /** The judge that loads it; by default a new one. */
  readonly process?: RunnerProcess;
  /** Ends the loading. */
  readonly signal?: AbortSignal;
  /** A Python kernel's process may be a copy of one that has imported its framework. Default: it imports everything by itself. */
  readonly asCopy?: boolean;
  /** The process of the next kernel starts beside this one, in the same judge. */
  readonly ahead?: boolean;
  /** What becomes of the judge where nothing was loaded. Default: it ends. */
  readonly onFailed?: (judge: Pick<OpenRunner, 'process' | 'confined'>) => Promise<void>;
}

/**
 * Starts a target's runner, unless there is one, and loads the kernel into it. `timeout_ms` is for a library; the import
 * of a Python module has its own limit.
 */
export async function openRunner(
  target: Target,
  timeout_ms: number,
  {
    process = new RunnerProcess(target.runner),
    signal,
    asCopy = false,
    ahead = false,
    onFailed = (judge) => judge.process.close(),
  }: OpenRunnerOptions = {},
): Promise<OpenRunner> {
  const mode = sandboxMode(env);
  const confined = mode !== 'off' && target.open.confined !== false;
  // An import may take minutes, and Ctrl-C must not.
  const kill = (): void => process.kill();
  signal?.addEventListener('abort', kill);
  try {
    // Variables of its own have to be there before anything is imported.
    const warm = asCopy && target.plan.env === undefined;
    // A judge that confined nothing ends with its candidate, and what was started ahead with it.
    const asked = { ...target.open, confined, warm, ahead: ahead && confined };
    const opened = await openKernel(process, target, asked, timeout_ms);
    if (mode === 'require') demandProtections(opened.protections ?? [], 'the process of the kernel');
    return { process, opened, confined, isCopy: warm && 'module' in target.open.kernel };
  } catch (error) {
    const before = process.output;
    await onFailed({ process, confined });
    // A judge that goes on has forgotten it; of one that ended there may be more.
    const output = process.usable ? before : process.output;
    if (error instanceof RunnerFailure) throw error.withOutput(output);
    throw error;
  } finally {
    signal?.removeEventListener('abort', kill);
  }
}
