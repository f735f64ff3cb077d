import type { JudgePolicy } from './judge-policy.ts';
import {
  decideAtLook,
  sequentialPlan,
  type Look,
  type SequentialJudge,
  type SequentialPlan,
  type SidesSoFar,
  type StopReason,
} from './sequential.ts';
import { interleave, type InterleaveOptions, type Side, type SideLabel } from '../measure/interleave.ts';
import { STOPPING_RULES } from '../measure/stopping-rules.ts';
import type { KeptJudge } from '../runner/kept-judge.ts';
import type { Random } from '../stats/index.ts';
import type { BenchSettings } from '../rig/bench-settings.ts';
import type { RecordedSide } from '../rig/recorded-side.ts';
import type { RunContext } from '../os/run-context.ts';

export interface MeasuringOptions extends RunContext {
  readonly settings: BenchSettings;
  readonly policy: JudgePolicy;
  readonly budget_s?: number;
  readonly verified: boolean;
  readonly random: Random;
  /** When to look. Default: as `sequentialPlan` has it. */
  readonly plan?: SequentialPlan;
  /** As in InterleaveOptions. */
  readonly keptJudge?: KeptJudge;
  readonly seriesAtOnce?: boolean;
  /** The side that is trusted (`Side`). */
  readonly trustedSide?: SideLabel;
}

/** What is asked of the sides. */
export interface Question {
  /** What there is to judge so far; nothing before the first series. */
  readonly soFar: () => SidesSoFar | undefined;
  /** What is still worth measuring. */
  readonly open: (judge: SequentialJudge) => Pick<InterleaveOptions, 'isOpen' | 'wanted'>;
  readonly judge: (policy: JudgePolicy, plan: SequentialPlan) => SequentialJudge;
}

export interface Measured {
  /** The last look; absent where nothing was measured. */
  readonly look: Look | undefined;
  /** `losses`: every case that was still open was lost again and again on a side. */
  readonly stopped_by: StopReason | 'losses' | 'interrupted' | undefined;
  readonly processes: number;
  readonly looks: number;
}

/** Measures block after block until the answer is clear, the plan is done or time is up. */
export async function measureInBlocks(
  sides: ReadonlyMap<SideLabel, RecordedSide>,
  question: Question,
  options: MeasuringOptions,
): Promise<Measured> {
  const { settings, signal, now } = options;
  const plan =
    options.plan ??
    sequentialPlan({
      maxProcesses: settings.processes,
      settlesSlowdowns: options.policy.question === 'gate',
    });
  const judge = question.judge(options.policy, plan);
  const budget = new Budget(options.budget_s, now);
  let look: Look | undefined;
  let isNewer = false;
  let stopped_by: Measured['stopped_by'];

  const takeLook = (): void => {
    const measured = question.soFar();
    if (measured === undefined) return;
    look = judge.look(measured);
    isNewer = false;
  };
  const { processes } = await interleave(
    [...sides].map(([label, { targets, calledAs }]): Side => ({
      label,
      targets,
      calledAs,
      trusted: label === options.trustedSide,
    })),
    {
      ...options,
      ...settings,
      maxBlocks: settings.processes,
      rule: STOPPING_RULES[settings.stopping](settings.samples),
      onRecord: (label, record) => {
        sides.get(label)!.recorder.series(record);
        isNewer = true;
      },
      ...question.open(judge),
      onBlock: (block) => {
        const budgetSpent = budget.isSpentAfter(block);
        if (!judge.isDue(block) && !budgetSpent) return 'go-on';
        takeLook();
        if (look === undefined) return budgetSpent ? 'stop' : 'go-on';
        stopped_by = decideAtLook(look.comparison, { plan, looks: judge.looks, budgetSpent });
        return stopped_by === undefined ? 'go-on' : 'stop';
      },
    },
  );
  if (stopped_by === undefined) {
    stopped_by = signal.aborted ? 'interrupted' : budget.isSpent ? 'budget' : 'losses';
    if (isNewer && judge.looks < plan.looks.length) takeLook();
  }
  return { look, stopped_by, processes, looks: judge.looks };
}

/** Stops before the block that would overrun, which takes about as long as those before it did. */
class Budget {
  readonly #budget_ms: number;
  readonly #now: () => Date;
  readonly #started_ms: number;
  isSpent = false;

  constructor(budget_s: number | undefined, now: () => Date) {
    this.#budget_ms = budget_s === undefined ? Infinity : budget_s * 1000;
    this.#now = now;
    this.#started_ms = now().getTime();
  }

  isSpentAfter(blocks: number): boolean {
    const elapsed_ms = this.#now().getTime() - this.#started_ms;
    this.isSpent = elapsed_ms * (1 + 1 / blocks) > this.#budget_ms;
    return this.isSpent;
  }
}
