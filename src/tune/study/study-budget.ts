import type { StudySettings } from '../../model/tune/study-settings.ts';
import type { Trial } from '../../model/tune/study.ts';
import { median } from '../../stats/index.ts';

/** Why a search ended. */
export type SearchEnd = 'trials' | 'time' | 'cost' | 'space' | 'interrupted';

export interface BudgetContext {
  readonly settings: Pick<
    StudySettings,
    'trials' | 'budget_s' | 'max_cost' | 'confirm' | 'processes' | 'samples'
  >;
  /** The study's clock. */
  readonly elapsed_s: () => number;
  /** What the device costs, where that is known. */
  readonly perHour: number | undefined;
}

/** Trials where neither trials nor time are limited: the start of 20 and 100 more. */
export const DEFAULT_TRIALS = 120;
/** Blocks that a confirmation mostly takes, and its sides: default, default again, finalist. */
const CONFIRM_BLOCKS = 8;
const CONFIRM_SIDES = 3;
/** A confirmation's process takes more samples, and its sides are audited before: about what was seen on CPU and GPU. */
const CONFIRM_PROCESS_FACTOR = 2.5;
/** However slow the kernel, the search gets most of the time. */
const MOST_RESERVED = 0.4;
/** Before anything was measured. */
const FIRST_RESERVED = 0.2;

/** What a study may still spend. The search ends early enough for the confirmation of its finalists. */
export class StudyBudget {
  readonly #context: BudgetContext;

  constructor(context: BudgetContext) {
    this.#context = context;
  }

  /** Trials under way count, too. */
  mayPropose(trials: readonly Trial[]): boolean {
    return this.spentBy(trials) === undefined;
  }

  spentBy(trials: readonly Trial[]): SearchEnd | undefined {
    const { settings } = this.#context;
    if (settings.trials !== undefined && trials.length >= settings.trials) return 'trials';
    return this.#mustStop(trials);
  }

  /** Whether there is time and money for one more measurement. */
  mayMeasure(trials: readonly Trial[]): boolean {
    return this.#mustStop(trials) === undefined;
  }

  /** When the search is over, on the study's clock; Infinity without a limit. */
  searchUntil_s(trials: readonly Trial[]): number {
    const { budget_s, max_cost } = this.#context.settings;
    const { perHour } = this.#context;
    // The device is held for as long as the study lasts, so money is time.
    const money_s = max_cost === undefined || perHour === undefined ? Infinity : (3600 * max_cost) / perHour;
    const all_s = Math.min(budget_s ?? Infinity, money_s);
    return all_s === Infinity ? Infinity : all_s - this.#reserved_s(trials, all_s);
  }

  /** How long one finalist may be measured against the default; undefined: as long as it takes. */
  confirmFor_s(trials: readonly Trial[], finalistsLeft: number): number | undefined {
    const { budget_s, max_cost } = this.#context.settings;
    const { perHour, elapsed_s } = this.#context;
    const money_s = max_cost === undefined || perHour === undefined ? Infinity : (3600 * max_cost) / perHour;
    const all_s = Math.min(budget_s ?? Infinity, money_s);
    if (all_s === Infinity) return undefined;
    // Less than what decides anything would be wasted.
    const least_s = processSeconds(trials, this.#context.settings.processes) * CONFIRM_BLOCKS * CONFIRM_SIDES;
    return Math.max(least_s, (all_s - elapsed_s()) / Math.max(1, finalistsLeft));
  }

  #mustStop(trials: readonly Trial[]): SearchEnd | undefined {
    const { settings, perHour, elapsed_s } = this.#context;
    if (elapsed_s() < this.searchUntil_s(trials)) return undefined;
    const isMoney =
      settings.max_cost !== undefined &&
      perHour !== undefined &&
      (3600 * settings.max_cost) / perHour < (settings.budget_s ?? Infinity);
    return isMoney ? 'cost' : 'time';
  }

  #reserved_s(trials: readonly Trial[], all_s: number): number {
    const { confirm, processes } = this.#context.settings;
    if (confirm === 0) return 0;
    const each_s = processSeconds(trials, processes);
    if (each_s === 0) return FIRST_RESERVED * all_s;
    return Math.min(MOST_RESERVED * all_s, confirm * CONFIRM_BLOCKS * CONFIRM_SIDES * each_s);
  }
}

/** About what a process of the confirmation takes; 0 where nothing was measured yet. */
function processSeconds(trials: readonly Trial[], processes: number): number {
  const measured_s = trials.flatMap(({ outcome, measure_s }) =>
    outcome?.status === 'measured' && !outcome.stopped_early && measure_s !== undefined ? [measure_s] : [],
  );
  if (measured_s.length === 0) return 0;
  // The check is a process or as long as one.
  return (CONFIRM_PROCESS_FACTOR * median(measured_s)) / (processes + 1);
}
