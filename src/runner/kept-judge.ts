import { isDeepStrictEqual } from 'node:util';

import { openRunner, type OpenRunner, type OpenRunnerOptions } from './open-runner.ts';
import type { RunnerCommand, RunnerProcess } from './runner-process.ts';
import type { Target } from './target.ts';

/** `asCopy`: on a GPU by default, where a copy is timed like a process of its own (docs/results/h200/timed-copies.md). */
export type KeptJudgeOptions = Pick<OpenRunnerOptions, 'asCopy' | 'ahead'>;

/**
 * One judge that serves candidate after candidate: to make its own CUDA context for each would take longer than many a
 * series. Every candidate is a new process anyway.
 */
export class KeptJudge {
  readonly #options: KeptJudgeOptions;
  #idle: { readonly process: RunnerProcess; readonly command: RunnerCommand } | undefined;

  constructor(options: KeptJudgeOptions = {}) {
    this.#options = options;
  }

  /** The judge that was given back, where this target is started in the same way, and a new one elsewhere. */
  async open(
    target: Target,
    timeout_ms: number,
    asked: Omit<OpenRunnerOptions, 'process'> = {},
  ): Promise<OpenRunner> {
    const asCopy = target.plan.device === 'cuda';
    // A candidate that does not load leaves its judge as it was: the next one need not wait for a new one.
    const onFailed: OpenRunnerOptions['onFailed'] = (judge) => this.giveBack(judge, target);
    const options = { asCopy, ...this.#options, ...asked, onFailed };
    const idle = this.#idle;
    if (idle?.process.usable !== true || !isDeepStrictEqual(idle.command, target.runner)) {
      await this.close();
      return openRunner(target, timeout_ms, options);
    }
    this.#idle = undefined;
    return openRunner(target, timeout_ms, { ...options, process: idle.process });
  }

  /**
   * Ends the candidate. Where nothing confined it, its judge ends too: only then everything that carries the judge's
   * mark can be killed.
   */
  async giveBack(
    { process, confined }: Pick<OpenRunner, 'process' | 'confined'>,
    target: Target,
  ): Promise<void> {
    if (confined && this.#idle === undefined && (await process.endCandidate()))
      this.#idle = { process, command: target.runner };
    else await process.close();
  }

  async close(): Promise<void> {
    const idle = this.#idle;
    this.#idle = undefined;
    await idle?.process.close();
  }
}
