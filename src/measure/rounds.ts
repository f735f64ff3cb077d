import { setTimeout as wait } from 'node:timers/promises';

import type { CasePlan } from '../config/plan-kernel.ts';
import { physicalFloor, refuseFasterThanFloor } from '../correctness/physical-floor.ts';
import { defined } from '../model/defined.ts';
import type { Mode } from '../model/problem/mode.ts';
import type { OnProgress } from '../model/measure/progress.ts';
import type { OpenResult } from '../model/measure/protocol.ts';
import type { Floor, LostSeries, Series } from '../model/measure/samples.ts';
import { importGenerator, importingText, importOracle } from '../runner/import-modules.ts';
import type { KeptJudge } from '../runner/kept-judge.ts';
import type { OpenRunner } from '../runner/open-runner.ts';
import { RunnerFailure } from '../runner/runner-failure.ts';
import { prepareCase } from '../runner/prepare-case.ts';
import { rulesOf, type Target } from '../runner/target.ts';
import { SecondLooks } from './second-looks.ts';
import { takeSeries, type SeriesOptions } from './take-series.ts';

export interface RoundsOptions extends Omit<SeriesOptions, 'mode' | 'onSamples' | 'verify' | 'inOneRequest'> {
  /** Take each series in one request. Default: in as many as its stopping rule needs. */
  readonly seriesAtOnce?: boolean;
  /** Compare the outputs of a timed repetition of each series with the oracle, where there is one. */
  readonly verified: boolean;
  /** Digits that the inputs of a case are drawn from. */
  readonly seed: (slot: Slot, process: number) => string;
  readonly judge: KeptJudge;
  readonly onProgress: OnProgress;
  readonly onRecord: (record: SeriesRecord) => void;
}

/** One thing to do: this case of this kernel in this mode. */
export interface Slot {
  readonly target: Target;
  readonly case: CasePlan;
  readonly mode: Mode;
}

/** One series, taken or lost, and whose it is. */
export interface SeriesRecord extends Slot {
  readonly opened: OpenResult | undefined;
  readonly floor: Floor | undefined;
  readonly outcome: { readonly taken: Series } | { readonly lost: LostSeries };
}

export function slotsOf(targets: readonly Target[], modes: readonly Mode[]): Slot[] {
  return targets.flatMap((target) =>
    target.plan.cases.flatMap((plan) => modes.map((mode): Slot => ({ target, case: plan, mode }))),
  );
}

const ABORT_GRACE_MS = 1000;

/** After this many losses in a row a case is given up: a kernel that hangs must not cost its time-out for every process. */
const LOSSES_BEFORE_GIVING_UP = 2;

/** Takes series round by round and remembers, from one to the next, which cases are lost causes. */
export class Rounds {
  readonly #options: RoundsOptions;
  readonly #lossesInARow = new Map<Slot, number>();
  #done = 0;
  #started = 0;

  constructor(options: RoundsOptions) {
    this.#options = options;
  }

  /** Processes of kernels started so far. */
  get started(): number {
    return this.#started;
  }

  givenUp(slot: Slot): boolean {
    return (this.#lossesInARow.get(slot) ?? 0) >= LOSSES_BEFORE_GIVING_UP;
  }

  /** All slots of one target in one round: one process, or more where one is lost. */
  async take(target: Target, slots: readonly Slot[], process: number): Promise<void> {
    let runner: OpenRunner | undefined;
    // A judge that was not told to end keeps Pawl from ending: also where a record could not be written.
    let mayServeAgain = false;
    try {
      let hasLost = false;
      for (const slot of slots) {
        if (this.#options.signal.aborted) break;
        if (this.givenUp(slot)) {
          this.#done += 1;
          continue;
        }
        const looks = new SecondLooks();
        for (;;) {
          try {
            if (runner?.process.usable !== true) {
              await runner?.process.close();
              runner = undefined;
              this.#started += 1;
              const importing = importingText(target);
              if (importing !== undefined) this.#step(slot, `process ${process}, ${importing}`);
              const { judge, timeout_ms, signal } = this.#options;
              runner = await judge.open(target, timeout_ms, { signal });
            }
            const taken = await this.#take(runner, slot, process);
            const { protections } = runner.opened;
            this.#record(slot, runner.opened, { taken: { process, ...taken, ...defined({ protections }) } });
          } catch (error) {
            if (!(error instanceof RunnerFailure)) throw error;
            if (this.#options.signal.aborted) break;
            const pause_ms = looks.pauseAfter(error.reason);
            if (pause_ms !== undefined) {
              // A new process knows what a round trip costs now.
              await runner?.process.close();
              runner = undefined;
              await wait(pause_ms);
              continue;
            }
            hasLost = true;
            const output = runner?.process.output ?? error.output;
            this.#record(slot, runner?.opened, {
              lost: {
                process,
                reason: error.reason,
                during: 'timing',
                message: error.message,
                ...(output ? { output } : {}),
              },
            });
          }
          break;
        }
      }
      mayServeAgain = !hasLost && !this.#options.signal.aborted;
    } finally {
      if (mayServeAgain && runner !== undefined) await this.#options.judge.giveBack(runner, target);
      else await runner?.process.close();
    }
  }

  async #take(runner: OpenRunner, slot: Slot, process: number): Promise<Series> {
    const { seed, timeout_ms, signal } = this.#options;
    const kill = () => runner.process.kill();
    // Ctrl-C must not wait for a kernel that hangs; a willing runner ends its chunk within this time.
    const abort = () => setTimeout(kill, ABORT_GRACE_MS).unref();
    signal.addEventListener('abort', abort);
    try {
      this.#step(slot, `process ${process}, preparing`);
      await (this.#options.verified ? importOracle : importGenerator)(runner.process, slot.target);
      await prepareCase(runner.process, slot.target, slot.case, {
        seed: seed(slot, process),
        timeout_ms,
        // Copies follow each other so fast that the device would give them the same memory each time.
        drawn: runner.isCopy,
        onFirstCall: (detail) => this.#step(slot, `process ${process}, ${detail}`),
      });
      const series = await takeSeries(runner.process, {
        ...this.#options,
        ...this.#verification(slot),
        ...this.#requests(slot),
        mode: slot.mode,
        onSamples: (samples_ms) => this.#step(slot, `process ${process}, ${samples_ms.length} samples`),
      });
      refuseFasterThanFloor(series, floorOf(slot, runner.opened));
      return series;
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  /** The clock of a GPU needs work before it is stable; how much is found out by looking at it. */
  #requests({ target }: Slot): Pick<SeriesOptions, 'inOneRequest'> {
    if (this.#options.seriesAtOnce !== true) return {};
    return { inOneRequest: target.plan.device === 'cpu' ? 'with-warm-up' : 'after-warm-up' };
  }

  #verification({ target, case: plan }: Slot): Pick<SeriesOptions, 'verify'> {
    return this.#options.verified ? defined({ verify: rulesOf(target, plan) }) : {};
  }

  #record(slot: Slot, opened: OpenResult | undefined, outcome: SeriesRecord['outcome']): void {
    this.#done += 1;
    if ('lost' in outcome) {
      this.#lossesInARow.set(slot, (this.#lossesInARow.get(slot) ?? 0) + 1);
      const where = `${slot.target.plan.name} ${slot.case.name}`;
      this.#note(`${where}: lost the series of process ${outcome.lost.process}: ${outcome.lost.message}`);
      if (this.givenUp(slot))
        this.#note(`${where}: given up after ${LOSSES_BEFORE_GIVING_UP} losses in a row`);
    } else {
      this.#lossesInARow.delete(slot);
    }
    this.#options.onRecord({ ...slot, opened, floor: floorOf(slot, opened), outcome });
    this.#step(slot, 'taken' in outcome ? 'done' : 'lost');
  }

  #step(slot: Slot, detail: string): void {
    const label = `${slot.target.plan.name} ${slot.case.name} ${slot.mode}`;
    this.#options.onProgress({ type: 'step', done: this.#done, label, detail });
  }

  #note(text: string): void {
    this.#options.onProgress({ type: 'note', level: 'warning', text });
  }
}

function floorOf({ target, case: plan, mode }: Slot, opened: OpenResult | undefined): Floor | undefined {
  if (opened === undefined) return undefined;
  return physicalFloor(plan, { device: opened.device, mode, threads: target.open.threads });
}
