import type { JudgePolicy } from './judge-policy.ts';
import { decideAtLook, SequentialJudge, sequentialPlan, type Look, type StopReason } from './sequential.ts';
import { interleave, type Side, type SideLabel } from '../measure/interleave.ts';
import { STOPPING_RULES } from '../measure/stopping-rules.ts';
import { caseId } from '../model/case-key.ts';
import type { Measurement, Samples } from '../model/samples.ts';
import type { Random } from '../stats/index.ts';
import type { BenchSettings } from '../rig/bench-settings.ts';
import type { RecordedSide } from '../rig/recorded-side.ts';
import type { RunContext } from '../os/run-context.ts';

export interface SidesToMeasure {
  readonly base: RecordedSide;
  readonly control?: RecordedSide;
  readonly head: RecordedSide;
}

interface MeasureSidesOptions extends RunContext {
  readonly settings: BenchSettings;
  readonly policy: JudgePolicy;
  readonly budget_s?: number;
  readonly verified: boolean;
  readonly random: Random;
}

export interface MeasuredSides {
  /** The last look; absent where nothing was measured. */
  readonly look: Look | undefined;
  readonly control: RecordedSide | undefined;
  /** `losses`: every case that was still open was lost again and again on a side. */
  readonly stopped_by: StopReason | 'losses' | 'interrupted' | undefined;
  readonly processes: number;
  readonly looks: number;
}

/** Measures block after block until the answer is clear, the plan is done or time is up. */
export async function measureSides(
  sides: SidesToMeasure,
  options: MeasureSidesOptions,
): Promise<MeasuredSides> {
  const { settings, signal, now } = options;
  if (sides.head.targets.length === 0) {
    return { look: undefined, control: undefined, stopped_by: undefined, processes: 0, looks: 0 };
  }
  const recorded = new Map<SideLabel, RecordedSide>();
  for (const label of ['base', 'control', 'head'] as const) {
    const side = sides[label];
    if (side !== undefined) recorded.set(label, side);
  }
  const plan = sequentialPlan({ maxProcesses: settings.processes });
  const judge = new SequentialJudge(options.policy, plan);
  const budget = new Budget(options.budget_s, now);
  let look: Look | undefined;
  let isNewer = false;
  let stopped_by: MeasuredSides['stopped_by'];

  const takeLook = (): void => {
    const measured = measuredSoFar(sides);
    if (measured === undefined) return;
    look = judge.look(measured);
    isNewer = false;
  };
  const { processes } = await interleave(
    [...recorded].map(([label, { targets }]): Side => ({ label, targets })),
    {
      ...options,
      ...settings,
      maxBlocks: settings.processes,
      rule: STOPPING_RULES[settings.stopping](settings.samples),
      onRecord: (label, record) => {
        recorded.get(label)!.recorder.series(record);
        isNewer = true;
      },
      isOpen: (shared) => judge.isOpen(shared),
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
  return { look, control: sides.control, stopped_by, processes, looks: judge.looks };
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

/**
 * What there is to judge: cases with a series of the base. Variants are left out of the keys, because a change of
 * the variant may be the very thing that is compared.
 */
function measuredSoFar(
  sides: SidesToMeasure,
): (Record<'base' | 'head', Samples> & { control?: Samples }) | undefined {
  const base = sides.base.builder.build();
  const idOf = (one: Measurement): string => caseId(withoutVariant(one));
  const measured = new Set(base.measurements.filter(({ series }) => series.length > 0).map(idOf));
  if (measured.size === 0) return undefined;
  const only = (samples: Samples): Samples => ({
    ...samples,
    measurements: samples.measurements.filter((one) => measured.has(idOf(one))).map(withoutVariant),
  });
  return {
    base: only(base),
    ...(sides.control === undefined ? {} : { control: only(sides.control.builder.build()) }),
    head: only(sides.head.builder.build()),
  };
}

function withoutVariant(measurement: Measurement): Measurement {
  const { variant: _, ...rest } = measurement;
  return rest;
}
