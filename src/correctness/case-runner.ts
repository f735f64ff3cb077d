import type { CasePlan } from '../config/plan-case.ts';
import type { Code } from '../model/measure/protocol.ts';
import { importOracle } from '../runner/import-modules.ts';
import { openRunner, type OpenRunner } from '../runner/open-runner.ts';
import { RunnerFailure, type RunnerFailureReason } from '../runner/runner-failure.ts';
import { prepareCase } from '../runner/prepare-case.ts';
import { rulesOf, type Target } from '../runner/target.ts';
import type { ConcreteCase } from './concrete-case.ts';
import { withAfterthoughts, type Afterthoughts, type CaseOutcome } from './case-outcome.ts';
import { findingOf } from './finding.ts';
import { blamedOnOracle } from './oracle-failure.ts';
import { withPosedAnswer } from './posed-answer.ts';

export interface CaseRunnerOptions {
  readonly timeout_ms: number;
  /** Asked after each process: every case then has one of its own, so that what is found is known to be its fault. */
  readonly collect?: (() => Promise<Afterthoughts>) | undefined;
  /** Ends what is under way at once. */
  readonly signal: AbortSignal;
}

/** Failures that tell nothing about the kernel. */
const NOT_THE_KERNEL = new Set<RunnerFailureReason>([
  'out-of-memory',
  'unsupported',
  'load-failed',
  'oracle-failed',
  'generator-failed',
  'checker-failed',
  'bad-request',
]);
/** Fewer than where a time counts: many cases see more than many draws of one. */
const DRAWS = 4000;
/** Failures while opening after which no case can run. */
const ABSENT = new Set<RunnerFailureReason>([
  'load-failed',
  'import-timeout',
  'module-missing',
  'not-started',
  'unsupported',
]);

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
    return this.#options.collect !== undefined || this.#checks === 1;
  }

  async check(
    { plan }: ConcreteCase,
    seed: string,
    { audit = false, alone = false }: { readonly audit?: boolean; readonly alone?: boolean } = {},
  ): Promise<CaseOutcome> {
    const rules = rulesOf(this.#target, plan);
    if (rules === undefined) return { status: 'absent', reason: 'no-oracle', message: 'it has no oracle' };
    const { collect } = this.#options;
    if (alone || collect !== undefined) await this.close();
    const outcome = await this.#check(plan, rules, { seed, audit });
    if (collect === undefined || this.#options.signal.aborted) return outcome;
    await this.close();
    return withAfterthoughts(outcome, await collect());
  }

  async #check(
    plan: CasePlan,
    rules: NonNullable<ReturnType<typeof rulesOf>>,
    { seed, audit }: { readonly seed: string; readonly audit: boolean },
  ): Promise<CaseOutcome> {
    const { oracle } = this.#target;
    const timeout_ms = this.#options.timeout_ms + oracleTime_ms(plan, oracle);
    const { deterministic } = this.#target.plan;
    let isOpen = false;
    let isComparing = false;
    try {
      const { process } = await this.#open();
      isOpen = true;
      this.#checks += 1;
      isComparing = true;
      await importOracle(process, this.#target);
      isComparing = false;
      await prepareCase(process, this.#target, plan, { seed, sets: 1, timeout_ms });
      isComparing = true;
      const answer = await process.request(
        { op: 'check', ...rules, seed, audit, nondeterministic: !deterministic, draws: DRAWS },
        timeout_ms,
      );
      const result = await withPosedAnswer(answer, process);
      const finding = findingOf(result);
      return finding === undefined ? { status: 'passed', result } : { status: 'failed', finding, result };
    } catch (error) {
      if (!(error instanceof RunnerFailure)) throw error;
      return this.#afterFailure(isComparing ? blamedOnOracle(error, oracle) : error, isOpen);
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
      this.#runner = await openRunner(this.#target, this.#options.timeout_ms, {
        signal: this.#options.signal,
      });
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

/**
 * The time-out is for the kernel; what a large case takes its oracle, and the kernel's repetitions, comes on top. The
 * rates are a tenth of what slow ones do, so that no kernel is called hanging on a busy machine.
 */
function oracleTime_ms({ operations = 0 }: CasePlan, oracle: Code | undefined): number {
  const isOnDevice = oracle !== undefined && 'memory' in oracle && oracle.memory === 'device';
  return operations / (isOnDevice ? 1e8 : 1e5);
}
