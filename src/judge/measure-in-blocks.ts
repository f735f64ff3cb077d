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
import type { Trust } from '../measure/take-series.ts';
import { interleave, type InterleaveOptions, type Side, type SideLabel } from '../measure/interleave.ts';
import { STOPPING_RULES } from '../measure/stopping-rules.ts';
import type { KeptJudge } from '../runner/kept-judge.ts';
import type { Random } from '../stats/index.ts';
import type { BenchSettings } from '../rig/bench-settings.ts';
import type { RecordedSide } from '../rig/recorded-side.ts';
import { omit } from '../model/omit.ts';
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
  /** The sides that are trusted, and in what. Default: none. */
  readonly trust?: Readonly<Record<SideLabel, Trust>>;
}

type Wanted = NonNullable<InterleaveOptions['wanted']>;

/** What is asked of the sides. */
export interface Question {
  /** What there is to judge so far; nothing before the first series. */
  readonly soFar: () => SidesSoFar | undefined;
  /** On which sides a case is still worth measuring. */
  readonly wanted: (judge: SequentialJudge) => Wanted;
  readonly judge: (policy: JudgePolicy, plan: SequentialPlan) => SequentialJudge;
}

export interface Measured {
  /** The last look; absent where nothing was measured. */
  readonly look: Look | undefined;
  /** `losses`: every case that was still open was lost again and again on a side. */
  readonly stopped_by: StopReason | 'losses' | 'interrupted' | undefined;
  /** On all sides, until this question had its answer. */
  readonly processes: number;
  readonly looks: number;
}

/** Measures block after block until the answer is clear, the plan is done or time is up. */
export async function measureInBlocks(
  sides: ReadonlyMap<SideLabel, RecordedSide>,
  question: Question,
  options: MeasuringOptions,
): Promise<Measured> {
  let answer: Measured | undefined;
  await measureForAll(sides, [question], { ...options, onMeasured: (_, measured) => (answer = measured) });
  return answer!;
}

export interface MeasuringForAllOptions extends MeasuringOptions {
  /** Called once for each question, as soon as it has its answer, with its share of the time that was measured. */
  readonly onMeasured: (at: number, measured: Measured, took_ms: number) => void;
}

/**
 * Several questions about the same sides, each answered by its own looks with the error rates of the policy: what is
 * measured for one serves the others. `budget_s` is that of each, for its share of the time.
 */
export async function measureForAll(
  sides: ReadonlyMap<SideLabel, RecordedSide>,
  questions: readonly Question[],
  options: MeasuringForAllOptions,
): Promise<void> {
  const { settings, policy, signal, budget_s } = options;
  const plan =
    options.plan ??
    sequentialPlan({ maxProcesses: settings.processes, settlesSlowdowns: policy.question === 'gate' });
  const inquiries = questions.map(
    (question) => new Inquiry(question, question.judge(policy, plan), { plan, budget_s }),
  );
  const open = (): Inquiry[] => inquiries.filter(({ stopped_by }) => stopped_by === undefined);
  let started = 0;
  const tell = (one: Inquiry): void => {
    const { look, stopped_by, looks, took_ms } = one;
    options.onMeasured(inquiries.indexOf(one), { look, stopped_by, processes: started, looks }, took_ms);
  };
  const end = (one: Inquiry): void => {
    one.end(signal.aborted ? 'interrupted' : one.isBudgetSpent ? 'budget' : 'losses');
    tell(one);
  };
  let blockBegan_ms = performance.now();

  const { processes } = await interleave(
    [...sides].map(([label, { targets, calledAs }]): Side => ({
      label,
      targets,
      calledAs,
      trust: options.trust?.[label],
    })),
    {
      ...omit(options, 'trust'),
      ...settings,
      maxBlocks: settings.processes,
      rule: STOPPING_RULES[settings.stopping](settings.samples),
      onRecord: (label, record) => {
        sides.get(label)!.recorder.series(record);
        for (const one of open()) one.isNewer = true;
      },
      wanted: (shared, able) => [...new Set(open().flatMap((one) => one.wanted(shared, able)))],
      onBlock: (block, soFar) => {
        started = soFar;
        const measured = open().filter(({ isMeasured }) => isMeasured);
        const ended_ms = performance.now();
        for (const one of measured) one.took_ms += (ended_ms - blockBegan_ms) / measured.length;
        blockBegan_ms = ended_ms;
        for (const one of open()) {
          one.afterBlock(block);
          if (one.stopped_by !== undefined) tell(one);
          else if (!one.isMeasured) end(one);
          one.isMeasured = false;
        }
        return open().length === 0 ? 'stop' : 'go-on';
      },
    },
  );
  started = processes;
  for (const one of open()) end(one);
}

/** A question with what was found out about it so far. */
class Inquiry {
  readonly #question: Question;
  readonly #wanted: Wanted;
  readonly #judge: SequentialJudge;
  readonly #plan: SequentialPlan;
  readonly #budget_ms: number;
  isBudgetSpent = false;
  look: Look | undefined;
  stopped_by: Measured['stopped_by'];
  /** Something was measured since the last look. */
  isNewer = false;
  /** A case of it is measured in this block: the others were lost, or decided. */
  isMeasured = false;
  took_ms = 0;

  constructor(
    question: Question,
    judge: SequentialJudge,
    limits: { readonly plan: SequentialPlan; readonly budget_s: number | undefined },
  ) {
    this.#question = question;
    this.#judge = judge;
    this.#plan = limits.plan;
    this.#budget_ms = limits.budget_s === undefined ? Infinity : 1000 * limits.budget_s;
    this.#wanted = question.wanted(judge);
  }

  get looks(): number {
    return this.#judge.looks;
  }

  wanted(...[shared, able]: Parameters<Wanted>): readonly SideLabel[] {
    const labels = this.#wanted(shared, able);
    this.isMeasured ||= labels.length > 0;
    return labels;
  }

  afterBlock(block: number): void {
    // It stops before the block that would overrun, which takes about as long as those before it did.
    const budgetSpent = (this.isBudgetSpent = this.took_ms * (1 + 1 / block) > this.#budget_ms);
    if (!this.#judge.isDue(block) && !budgetSpent) return;
    this.#takeLook(budgetSpent);
    if (this.look !== undefined) {
      const soFar = { plan: this.#plan, looks: this.looks, budgetSpent };
      this.stopped_by = decideAtLook(this.look.comparison, soFar);
    } else if (budgetSpent) {
      this.stopped_by = 'budget';
    }
  }

  end(reason: Measured['stopped_by']): void {
    if (this.isNewer && this.looks < this.#plan.looks.length) this.#takeLook(true);
    this.stopped_by = reason;
  }

  #takeLook(isLast: boolean): void {
    const measured = this.#question.soFar();
    if (measured === undefined) return;
    this.look = this.#judge.look(measured, { isLast });
    this.isNewer = false;
  }
}
