import type { CasePlan } from '../../config/plan-kernel.ts';
import { blindInYaml } from '../../correctness/blind-in-yaml.ts';
import { physicalFloor, refuseFasterThanFloor } from '../../correctness/physical-floor.ts';
import { blamedOnOracle } from '../../correctness/oracle-failure.ts';
import { withPosedAnswer } from '../../correctness/posed-answer.ts';
import { seedFor } from '../../measure/schedule.ts';
import { takeSeries } from '../../measure/take-series.ts';
import { blindTolerance, type BlindTolerance } from '../../model/correctness/blind-tolerance.ts';
import type { Verification } from '../../model/correctness/verification.ts';
import type { Mode } from '../../model/problem/mode.ts';
import type { Series } from '../../model/measure/samples.ts';
import { importOracle } from '../../runner/import-modules.ts';
import { openRunner, type OpenRunner } from '../../runner/open-runner.ts';
import { RunnerFailure } from '../../runner/runner-failure.ts';
import { prepareCase } from '../../runner/prepare-case.ts';
import { rulesOf, type Target } from '../../runner/target.ts';
import { HOPELESS, trialRule } from './trial-rule.ts';
import type { RunContext } from '../../os/run-context.ts';

export interface TryOptions extends Pick<RunContext, 'signal' | 'now'> {
  readonly mode: Mode;
  readonly processes: number;
  readonly samples: number;
  /** The best time so far, which a hopeless variant is measured no further against. */
  readonly incumbent_ms: number | undefined;
  /** Also try whether the tolerance sees: once for a study, since it is the same for every variant. */
  readonly blind: boolean;
  /** No answer for this long: it hangs. */
  readonly timeout_ms: number;
  /** Digits that this trial's inputs are drawn from. */
  readonly seed: string;
}

/** What running a variant gave: its series, or what is wrong with it. */
export type Tried =
  | { readonly status: 'measured'; readonly series: readonly Series[]; readonly stoppedEarly: boolean }
  | { readonly status: 'wrong'; readonly check: Verification }
  /** It may be right or wrong: its tolerance lets anything pass. */
  | { readonly status: 'unproven'; readonly why: BlindTolerance }
  | {
      readonly status: 'failed';
      readonly reason: RunnerFailure['reason'];
      readonly message: string;
      readonly during: 'check' | 'timing';
    };

/** Samples of a warm-up round; rounds go on until the clock is stable. */
const WARMUP = 5;
/** A series may take this many time-outs: slow variants are stopped by the rule, not by the clock. */
const SERIES_BUDGET_TIMEOUTS = 2;
const ABORT_GRACE_MS = 1000;

/**
 * Checks a variant against its oracle and takes a few samples of it. On a GPU the first process does both, since
 * starting one costs more than the samples; on a CPU the oracle's threads would disturb what follows, so the check
 * has a process of its own. Outputs of a timed repetition are compared with the oracle, too.
 */
export async function tryVariant(target: Target, options: TryOptions): Promise<Tried> {
  const trial = new VariantTrial(target, options);
  try {
    return await trial.run();
  } finally {
    await trial.close();
  }
}

class VariantTrial {
  readonly #target: Target;
  readonly #plan: CasePlan;
  readonly #options: TryOptions;
  #runner: OpenRunner | undefined;
  #during: 'check' | 'timing' = 'check';

  constructor(target: Target, options: TryOptions) {
    this.#target = target;
    this.#plan = target.plan.cases[0]!;
    this.#options = options;
  }

  async run(): Promise<Tried> {
    const kill = () => this.#runner?.process.kill();
    // A kernel that hangs must not hold up Ctrl-C.
    const abort = () => setTimeout(kill, ABORT_GRACE_MS).unref();
    this.#options.signal.addEventListener('abort', abort);
    try {
      const check = await this.#check();
      if (check !== undefined && !check.passed) return { status: 'wrong', check };
      const why = blindTolerance(check);
      if (why !== undefined) return { status: 'unproven', why };
      if (this.#target.plan.device === 'cpu') await this.close();
      this.#during = 'timing';
      return await this.#measure();
    } catch (error) {
      if (!(error instanceof RunnerFailure)) throw error;
      const { reason, message } = error;
      return { status: 'failed', reason, message, during: this.#during };
    } finally {
      this.#options.signal.removeEventListener('abort', abort);
    }
  }

  async close(): Promise<void> {
    await this.#runner?.process.close();
    this.#runner = undefined;
  }

  async #open(): Promise<OpenRunner> {
    this.#options.signal.throwIfAborted();
    if (this.#runner !== undefined) return this.#runner;
    this.#runner = await openRunner(this.#target, this.#options.timeout_ms, {
      asCopy: this.#target.plan.device === 'cuda',
    });
    await importOracle(this.#runner.process, this.#target).catch((error: unknown) => {
      throw error instanceof RunnerFailure ? blamedOnOracle(error, this.#target.oracle) : error;
    });
    return this.#runner;
  }

  async #check(): Promise<Verification | undefined> {
    const { oracle, plan } = this.#target;
    const rules = rulesOf(this.#target, this.#plan);
    if (rules === undefined) return undefined;
    const { timeout_ms, seed } = this.#options;
    const { process } = await this.#open();
    await prepareCase(process, this.#target, this.#plan, {
      seed: seedFor(seed, 'prepare'),
      sets: 1,
      timeout_ms,
      signal: this.#options.signal,
    });
    const result = await process
      .request(
        {
          op: 'check',
          ...rules,
          seed: seedFor(seed, 'check'),
          nondeterministic: !plan.deterministic,
          ...(this.#options.blind ? { blind: true } : {}),
        },
        timeout_ms,
      )
      .catch((error: unknown) => {
        throw error instanceof RunnerFailure ? blamedOnOracle(error, oracle) : error;
      });
    return withPosedAnswer(blindInYaml(result, this.#plan), process);
  }

  async #measure(): Promise<Tried> {
    const series: Series[] = [];
    let stoppedEarly = false;
    for (let process = 1; process <= this.#options.processes && !stoppedEarly; process++) {
      const taken = await this.#take(process);
      series.push({ process, ...taken });
      stoppedEarly = taken.stopped_by === HOPELESS;
      await this.close();
    }
    return { status: 'measured', series, stoppedEarly };
  }

  async #take(number: number): Promise<Series> {
    const { timeout_ms, seed, mode, signal, now, samples, incumbent_ms } = this.#options;
    const { process, opened, isCopy } = await this.#open();
    await prepareCase(process, this.#target, this.#plan, {
      seed: seedFor(seed, 'series', number),
      timeout_ms,
      drawn: isCopy,
      signal,
    });
    const verify = rulesOf(this.#target, this.#plan);
    const taken = await takeSeries(process, {
      mode,
      timing: 'blocked',
      warmup: WARMUP,
      rule: trialRule(samples, incumbent_ms),
      timeout_ms,
      budget_ms: SERIES_BUDGET_TIMEOUTS * timeout_ms,
      ...(verify === undefined ? {} : { verify }),
      signal,
      now,
    });
    const { threads } = this.#target.open;
    refuseFasterThanFloor(taken, physicalFloor(this.#plan, { device: opened.device, mode, threads }));
    return taken;
  }
}
