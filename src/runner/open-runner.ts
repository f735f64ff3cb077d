import { env } from 'node:process';

import type { OpenResult } from '../model/protocol.ts';
import { demandProtections, sandboxMode } from '../model/sandbox.ts';
import { RunnerFailure } from './runner-failure.ts';
import { RunnerProcess } from './runner-process.ts';
import type { Target } from './target.ts';

export interface OpenRunner {
  readonly process: RunnerProcess;
  readonly opened: OpenResult;
}

/** Starts a target's runner and loads the kernel into it. */
export async function openRunner(target: Target, timeout_ms: number): Promise<OpenRunner> {
  const process = new RunnerProcess(target.runner);
  try {
    const mode = sandboxMode(env);
    const opened = await process.open(
      mode === 'off' ? { ...target.open, confined: false } : target.open,
      timeout_ms,
    );
    if (mode === 'require') demandProtections(opened.protections ?? [], 'the process of the kernel');
    return { process, opened };
  } catch (error) {
    await process.close();
    if (error instanceof RunnerFailure) throw error.withOutput(process.output);
    throw error;
  }
}
