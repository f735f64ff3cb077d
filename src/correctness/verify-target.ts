import type { CasePlan } from '../config/plan-kernel.ts';
import type { Verification } from '../model/correctness/verification.ts';
import type { OpenResult } from '../model/measure/protocol.ts';
import { importingText, importOracle } from '../runner/import-modules.ts';
import type { KeptJudge } from '../runner/kept-judge.ts';
import type { OpenRunner } from '../runner/open-runner.ts';
import { RunnerFailure } from '../runner/runner-failure.ts';
import { prepareCase } from '../runner/prepare-case.ts';
import { rulesOf, type Target } from '../runner/target.ts';
import { blindInYaml } from './blind-in-yaml.ts';
import { blamedOnOracle } from './oracle-failure.ts';
import { withPosedAnswer } from './posed-answer.ts';
import type { RunContext } from '../os/run-context.ts';

/** What became of the verification of one case: its result, or why there is none. */
export type VerifyOutcome =
  | { readonly status: 'verified'; readonly result: Verification }
  | {
      readonly status: 'failed-to-run';
      readonly reason: string;
      readonly message: string;
      readonly output: string | undefined;
    };

export interface VerifyOptions extends Pick<RunContext, 'signal' | 'onProgress'> {
  readonly timeout_ms: number;
  /** Fresh digits for each case: the inputs of a verification are never those of the last one. */
  readonly seed: (plan: CasePlan, purpose: 'prepare' | 'check') => string;
  /** Also look for what takes many calls to see. */
  readonly audit: boolean;
  /** Also try whether the tolerance sees. */
  readonly blind: boolean;
  /** Serves one target after another. */
  readonly judge: KeptJudge;
  /** Leave the other cases out after one that is wrong or cannot run. Default false. */
  readonly stopAtFault?: boolean;
  /** Told when the kernel is loaded. */
  readonly onOpened?: (opened: OpenResult) => void;
}

/**
 * Compares every case of a target with its oracle, in a process of its own: the oracle's threads and memory
 * must not warm the caches that a series is then taken in.
 */
export async function verifyTarget(
  target: Target,
  options: VerifyOptions,
): Promise<ReadonlyMap<string, VerifyOutcome>> {
  const outcomes = new Map<string, VerifyOutcome>();
  const { judge } = options;
  let runner: OpenRunner | undefined;
  let mayServeAgain = true;
  try {
    for (const [done, plan] of target.plan.cases.entries()) {
      const rules = rulesOf(target, plan);
      if (options.signal.aborted || rules === undefined) break;
      let isComparing = false;
      const label = `${target.plan.name} ${plan.name}`;
      options.onProgress({ type: 'step', done, label });
      try {
        if (runner?.process.usable !== true) {
          const detail = importingText(target);
          if (detail !== undefined) options.onProgress({ type: 'step', done, label, detail });
          const { timeout_ms, signal } = options;
          runner = await judge.open(target, timeout_ms, { signal, asCopy: true });
          options.onOpened?.(runner.opened);
        }
        const { process } = runner;
        isComparing = true;
        await importOracle(process, target);
        isComparing = false;
        options.onProgress({ type: 'step', done, label });
        await prepareCase(process, target, plan, {
          seed: options.seed(plan, 'prepare'),
          sets: 1,
          timeout_ms: options.timeout_ms,
          signal: options.signal,
          onFirstCall: (detail) => options.onProgress({ type: 'step', done, label, detail }),
        });
        options.onProgress({ type: 'step', done, label });
        isComparing = true;
        const result = await process.request(
          {
            op: 'check',
            ...rules,
            seed: options.seed(plan, 'check'),
            ...(options.audit ? { audit: true } : {}),
            nondeterministic: !target.plan.deterministic,
            ...(options.blind ? { blind: true } : {}),
          },
          options.timeout_ms,
        );
        const verification = blindInYaml(result, plan);
        outcomes.set(plan.name, { status: 'verified', result: await withPosedAnswer(verification, process) });
      } catch (error) {
        mayServeAgain = false;
        if (!(error instanceof RunnerFailure)) throw error;
        const { reason, message } = isComparing ? blamedOnOracle(error, target.oracle) : error;
        const output = runner?.process.output ?? error.output;
        outcomes.set(plan.name, { status: 'failed-to-run', reason, message, output });
      }
      const outcome = outcomes.get(plan.name);
      const isFaulty = outcome?.status !== 'verified' || !outcome.result.passed;
      if (isFaulty && options.stopAtFault === true) break;
    }
  } finally {
    if (mayServeAgain && !options.signal.aborted && runner !== undefined)
      await judge.giveBack(runner, target);
    else await runner?.process.close();
  }
  options.onProgress({ type: 'step', done: target.plan.cases.length, label: target.plan.name });
  return outcomes;
}
