const { env } = process;

import type { OpenResult } from '../model/protocol.ts';
import { demandProtections, sandboxMode } from '../model/sandbox.ts';
import { RunnerFailure } from './runner-failure.ts';
import { RunnerProcess } from './runner-process.ts';
import type { Target } from './target.ts';

export interface OpenRunner {
  readonly process: RunnerProcess;
  readonly opened: OpenResult;
  /** Whether a sandbox was asked for. */
  readonly confined: boolean;
}

/** Starts a target's runner, unless there is one, and loads the kernel into it. */
export async function openRunner(
  target: Target,
  timeout_ms: number,
  process = new RunnerProcess(target.runner),
): Promise<OpenRunner> {
  try {
    const mode = sandboxMode(env);
    const confined = mode !== 'off' && target.open.confined !== false;
    const opened = await process.open({ ...target.open, confined }, timeout_ms);
    if (mode === 'require') demandProtections(opened.protections ?? [], 'the process of the kernel');
    return { process, opened, confined };
  } catch (error) {
    await process.close();
    if (error instanceof RunnerFailure) throw error.withOutput(process.output);
    throw error;
  }
}
