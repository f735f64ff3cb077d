import type { CheckResult } from '../model/check.ts';
import type { FuzzFinding } from '../model/fuzz-report.ts';
import { openRunner, type OpenRunner } from '../runner/open-runner.ts';
import { RunnerFailure, type RunnerFailureReason } from '../runner/runner-failure.ts';
import { prepareRequest, type Target } from '../runner/target.ts';
import type { ConcreteCase } from './concrete-case.ts';
import { findingOf } from './finding.ts';

/** What became of one case. */
export type CaseOutcome =
  | { readonly status: 'passed'; readonly result: CheckResult }
  | {
      readonly status: 'failed';
      readonly finding: FuzzFinding;
      /** Absent where the runner did not live to tell. */
      readonly result?: CheckResult;
      /** What the process had printed. */
      readonly output?: string;
    }
  /** It says nothing about the kernel: too large for the device, or beyond the oracle or the runner. */
  | { readonly status: 'skipped'; readonly message: string }
  /** The kernel cannot be run at all. */
  | { readonly status: 'absent'; readonly reason: string; readonly message: string };

export interface CaseRunnerOptions {
  readonly timeout_ms: number;
  /** Ends what is under way at once. */
  readonly signal: AbortSignal;
}

/** Failures that tell nothing about the kernel. `load-failed` after opening: the oracle refused. */
const NOT_THE_KERNEL = new Set<RunnerFailureReason>([
  'out-of-memory',
  'unsupported',
  'load-failed',
  'bad-request',
]);
/** Failures while opening after which no case can run. */
const ABSENT = new Set<RunnerFailureReason>(['load-failed', 'module-missing', 'not-started', 'unsupported']);

/** Checks cases of one target, in one process as long as it lives; a kernel that ends it costs a new one. */
export class CaseRunner {
  readonly #target: Target;
  readonly #options: CaseRunnerOptions;
  readonly #kill = () => this.#runner?.process.kill();
  #runner: OpenRunner | undefined;
  #checks = 0;

  constructor(target: Target, options: CaseRunnerOptions) {
    this.#target = target;
    this.#options = options;
    options.signal.addEventListener('abort', this.#kill);
  }

  /** Whether the last case was the first of its process. */
  get wasAlone(): boolean {
    return this.#checks === 1;
  }

  async check(
    { plan, tolerance }: ConcreteCase,
    seed: string,
    { audit = false, alone = false }: { readonly audit?: boolean; readonly alone?: boolean } = {},
  ): Promise<CaseOutcome> {
    const { oracle, plan: kernel } = this.#target;
    if (oracle === undefined) return { status: 'absent', reason: 'no-oracle', message: 'it has no oracle' };
    if (alone) await this.close();
    const { timeout_ms } = this.#options;
    let isOpen = false;
    try {
      const { process } = await this.#open();
      isOpen = true;
      this.#checks += 1;
      await process.request(prepareRequest(this.#target, plan, seed, 1), timeout_ms);
      const result = await process.request(
        { op: 'check', oracle, ...tolerance, seed, audit, nondeterministic: !kernel.deterministic },
        timeout_ms,
      );
      const finding = findingOf(result);
      return finding === undefined ? { status: 'passed', result } : { status: 'failed', finding, result };
    } catch (error) {
      if (!(error instanceof RunnerFailure)) throw error;
      return this.#afterFailure(error, isOpen);
    }
  }

  async close(): Promise<void> {
    await this.#runner?.process.close();
    this.#runner = undefined;
    this.#checks = 0;
  }

  /** Closes it for good. */
  async end(): Promise<void> {
    this.#options.signal.removeEventListener('abort', this.#kill);
    await this.close();
  }

  async #open(): Promise<OpenRunner> {
    if (this.#runner?.process.usable !== true) {
      await this.close();
      this.#runner = await openRunner(this.#target, this.#options.timeout_ms);
    }
    return this.#runner;
  }

  #afterFailure({ reason, message, output: told }: RunnerFailure, isOpen: boolean): CaseOutcome {
    if (this.#options.signal.aborted) return { status: 'skipped', message: 'interrupted' };
    if (!isOpen && ABSENT.has(reason)) return { status: 'absent', reason, message };
    if (NOT_THE_KERNEL.has(reason)) return { status: 'skipped', message: `${reason}: ${message}` };
    const detector = reason === 'forged' ? 'forged-result' : reason;
    const output = told ?? this.#runner?.process.output ?? '';
    return { status: 'failed', finding: { detector, message }, ...(output === '' ? {} : { output }) };
  }
}
