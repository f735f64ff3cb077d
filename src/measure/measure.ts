import type { CasePlan } from '../config/plan-kernel.ts';
import type { OnProgress } from '../model/progress.ts';
import type { Mode } from '../model/mode.ts';
import type { OpenResult } from '../model/protocol.ts';
import type { LostSeries, Series } from '../model/samples.ts';
import type { Random } from '../stats/index.ts';
import { RunnerFailure } from '../runner/runner-failure.ts';
import { openRunner, type OpenRunner } from '../runner/open-runner.ts';
import { seedDigits, shuffled } from './schedule.ts';
import { takeSeries, type SeriesOptions } from './take-series.ts';
import { prepareRequest, type Target } from '../runner/target.ts';

export interface MeasureOptions extends Omit<SeriesOptions, 'mode' | 'onSamples'> {
  readonly processes: number;
  readonly modes: readonly Mode[];
  readonly random: Random;
  readonly onProgress: OnProgress;
  readonly onRecord: (record: SeriesRecord) => void;
}

/** One series, taken or lost, and whose it is. */
export interface SeriesRecord {
  readonly target: Target;
  readonly case: CasePlan;
  readonly mode: Mode;
  readonly opened: OpenResult | undefined;
  readonly outcome: { readonly taken: Series } | { readonly lost: LostSeries };
}

const ABORT_GRACE_MS = 1000;

/** One thing to do: this case of this kernel in this mode. */
interface Slot {
  readonly target: Target;
  readonly case: CasePlan;
  readonly mode: Mode;
}

/** After this many losses in a row a case is given up: a kernel that hangs must not cost its time-out for every process. */
const LOSSES_BEFORE_GIVING_UP = 2;

/**
 * Takes every case of every target in `processes` fresh processes each. Rounds are outermost and the order
 * within a round is random, so that drift of the device falls on all alike. A process serves all cases of its
 * kernel; one that fails costs the series it was taking, and the rest of its cases get a new one.
 */
export async function measure(targets: readonly Target[], options: MeasureOptions): Promise<void> {
  const slots = targets.flatMap((target) =>
    target.plan.cases.flatMap((plan) => options.modes.map((mode): Slot => ({ target, case: plan, mode }))),
  );
  options.onProgress({ type: 'started', title: 'measuring', total: slots.length * options.processes });
  const run = new MeasureRun(options);
  for (let process = 1; process <= options.processes; process++) {
    for (const target of shuffled(targets, options.random)) {
      const own = slots.filter((slot) => slot.target === target);
      await run.takeRound(target, shuffled(own, options.random), process);
    }
  }
  options.onProgress({ type: 'finished' });
}

class MeasureRun {
  readonly #options: MeasureOptions;
  readonly #lossesInARow = new Map<Slot, number>();
  #done = 0;

  constructor(options: MeasureOptions) {
    this.#options = options;
  }

  /** All slots of one target in one round: one process, or more where one is lost. */
  async takeRound(target: Target, slots: readonly Slot[], process: number): Promise<void> {
    let runner: OpenRunner | undefined;
    for (const slot of slots) {
      if (this.#options.signal.aborted) break;
      if (this.#givenUp(slot)) {
        this.#done += 1;
        continue;
      }
      try {
        if (runner?.process.usable !== true) {
          await runner?.process.close();
          runner = undefined;
          runner = await openRunner(target, this.#options.timeout_ms);
        }
        const taken = await this.#take(runner, slot, process);
        this.#record(slot, runner.opened, { taken: { process, ...taken } });
      } catch (error) {
        if (!(error instanceof RunnerFailure)) throw error;
        if (this.#options.signal.aborted) break;
        const output = runner?.process.output ?? error.output;
        this.#record(slot, runner?.opened, {
          lost: { process, reason: error.reason, message: error.message, ...(output ? { output } : {}) },
        });
      }
    }
    await runner?.process.close();
  }

  async #take(runner: OpenRunner, slot: Slot, process: number): Promise<Series> {
    const { random, timeout_ms, signal } = this.#options;
    const kill = () => runner.process.kill();
    // Ctrl-C must not wait for a kernel that hangs; a willing runner ends its chunk within this time.
    const abort = () => setTimeout(kill, ABORT_GRACE_MS).unref();
    signal.addEventListener('abort', abort);
    try {
      this.#step(slot, `process ${process}, preparing`);
      await runner.process.request(prepareRequest(slot.target, slot.case, seedDigits(random)), timeout_ms);
      return await takeSeries(runner.process, {
        ...this.#options,
        mode: slot.mode,
        onSamples: (samples_ms) => this.#step(slot, `process ${process}, ${samples_ms.length} samples`),
      });
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  #record(slot: Slot, opened: OpenResult | undefined, outcome: SeriesRecord['outcome']): void {
    this.#done += 1;
    if ('lost' in outcome) {
      this.#lossesInARow.set(slot, (this.#lossesInARow.get(slot) ?? 0) + 1);
      const where = `${slot.target.plan.name} ${slot.case.name}`;
      this.#note(`${where}: lost the series of process ${outcome.lost.process}: ${outcome.lost.message}`);
      if (this.#givenUp(slot))
        this.#note(`${where}: given up after ${LOSSES_BEFORE_GIVING_UP} losses in a row`);
    } else {
      this.#lossesInARow.delete(slot);
    }
    this.#options.onRecord({ ...slot, opened, outcome });
    this.#step(slot, 'taken' in outcome ? 'done' : 'lost');
  }

  #givenUp(slot: Slot): boolean {
    return (this.#lossesInARow.get(slot) ?? 0) >= LOSSES_BEFORE_GIVING_UP;
  }

  #step(slot: Slot, detail: string): void {
    const label = `${slot.target.plan.name} ${slot.case.name} ${slot.mode}`;
    this.#options.onProgress({ type: 'step', done: this.#done, label, detail });
  }

  #note(text: string): void {
    this.#options.onProgress({ type: 'note', level: 'warning', text });
  }
}
