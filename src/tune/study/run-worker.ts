import { Semaphore } from '../../os/semaphore.ts';
import type { RejectedOutcome, Trial, TrialDetails, TrialOutcome } from '../../model/tune/study.ts';
import { measuredTrials } from '../../model/tune/measured-trials.ts';

import type { ProposalSource } from './sampler-source.ts';
import { Turnstile } from './turnstile.ts';
import type { Lease, TrialLedger } from './trial-ledger.ts';

/** What became of a variant before it came to the device. */
export type Prepared<Ready> =
  | { readonly status: 'rejected'; readonly outcome: RejectedOutcome; readonly details: TrialDetails }
  | { readonly status: 'ready'; readonly ready: Ready; readonly details: TrialDetails };

export interface Measured {
  readonly outcome: TrialOutcome;
  readonly details: TrialDetails;
}

/** How a variant is built, checked and measured. */
export interface TrialTools<Ready> {
  /** Static gates, the build and the gates behind it. Many at a time; throws when the signal ends it. */
  prepare(trial: Trial, signal: AbortSignal): Promise<Prepared<Ready>>;
  /** Correctness, then time. One at a time; throws when the signal ends it. */
  measure(ready: Ready, trials: readonly Trial[], signal: AbortSignal): Promise<Measured>;
}

export interface WorkerOptions<Ready> {
  readonly ledger: TrialLedger;
  readonly source: ProposalSource;
  readonly tools: TrialTools<Ready>;
  /** Its name in the ledger. */
  readonly worker: string;
  /** Variants that may be under way besides the one that is measured. */
  readonly ahead: (trials: readonly Trial[]) => number;
  /** Whether one more trial may be proposed. */
  readonly mayPropose: (trials: readonly Trial[]) => boolean;
  /** Why measuring must not go on; asked before every measurement. */
  readonly mayMeasure: () => boolean;
  /** Ends the worker in good order: builds are given up, and what is being measured is finished. */
  readonly stop: AbortSignal;
  /** Ends it at once. What is under way stays in the ledger for a later worker. */
  readonly signal: AbortSignal;
  readonly onChange?: (state: WorkerState) => void;
}

export interface WorkerState {
  readonly preparing: number;
  readonly queued: number;
  readonly measuring: Trial | undefined;
}

interface Queued<Ready> {
  readonly lease: Lease;
  readonly ready: Ready;
  readonly details: TrialDetails;
}

/**
 * Works on a study until there is nothing left to do: variants are prepared ahead, side by side, while exactly one is
 * measured. A trial is told of as soon as something is known; one that is not told of when the worker ends is
 * somebody else's to redo.
 */
export async function runWorker<Ready>(options: WorkerOptions<Ready>): Promise<void> {
  await new Worker(options).run();
}

class Worker<Ready> {
  readonly #options: WorkerOptions<Ready>;
  readonly #changed = new Turnstile();
  readonly #turns = new Semaphore(1);
  readonly #preparing = new Set<Promise<void>>();
  readonly #queue: Queued<Ready>[] = [];
  readonly #ending = new AbortController();
  #measuring: Trial | undefined;
  #isFilled = false;
  #failure: unknown;

  constructor(options: WorkerOptions<Ready>) {
    this.#options = options;
  }

  async run(): Promise<void> {
    const { signal, stop } = this.#options;
    const end = () => this.#end();
    for (const each of [signal, stop]) each.addEventListener('abort', end);
    if (signal.aborted || stop.aborted) end();
    try {
      await Promise.all([this.#guarded(() => this.#fill()), this.#guarded(() => this.#measureAll())]);
    } finally {
      for (const each of [signal, stop]) each.removeEventListener('abort', end);
      this.#end();
      await Promise.all(this.#preparing);
    }
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** A bug on one side must not leave the other waiting for ever. */
  async #guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#failure ??= error;
      this.#end();
    }
  }

  #end(): void {
    this.#ending.abort();
    this.#change();
  }

  #change(): void {
    this.#changed.open();
    const { onChange } = this.#options;
    onChange?.({
      preparing: this.#preparing.size,
      queued: this.#queue.length,
      measuring: this.#measuring,
    });
  }

  async #fill(): Promise<void> {
    const { signal } = this.#ending;
    while (!signal.aborted) {
      const change = this.#changed.next();
      if ((await this.#turns.run(() => this.#fillUp())) === 'nothing-left') break;
      await change;
    }
    this.#isFilled = true;
    this.#change();
  }

  /**
   * Takes on as many trials as there is room for. A sampler thinks for a while and holds up the event loop, and a
   * measurement's clock is compared with this process's: so the two take turns.
   */
  async #fillUp(): Promise<'full' | 'nothing-left'> {
    const { ledger, ahead } = this.#options;
    while (!this.#ending.signal.aborted) {
      const trials = await ledger.trials();
      if (this.#preparing.size + this.#queue.length >= Math.max(1, ahead(trials))) return 'full';
      const lease = await this.#nextLease(trials);
      if (lease === undefined) return 'nothing-left';
      const preparing = this.#guarded(() => this.#prepare(lease)).finally(() => {
        this.#preparing.delete(preparing);
        this.#change();
      });
      this.#preparing.add(preparing);
      this.#change();
    }
    return 'nothing-left';
  }

  /** What somebody left under way comes before what is new. */
  async #nextLease(trials: readonly Trial[]): Promise<Lease | undefined> {
    const { ledger, source, worker, mayPropose } = this.#options;
    const reclaimed = await ledger.reclaim(worker);
    if (reclaimed !== undefined) return reclaimed;
    // Where others propose, too, a proposal may be theirs already, or have been the last that the budget allows.
    for (let known = trials; mayPropose(known); known = await ledger.trials()) {
      const proposal = source.next(known);
      if (proposal === undefined) return undefined;
      const lease = await ledger.propose(proposal, worker);
      if (lease !== undefined) return lease;
    }
    return undefined;
  }

  async #prepare(lease: Lease): Promise<void> {
    const { signal } = this.#ending;
    const prepared = await ended(signal, () => this.#options.tools.prepare(lease.trial, signal));
    if (prepared === undefined) return;
    if (prepared.status === 'rejected') await this.#tell(lease, prepared.outcome, prepared.details);
    else this.#queue.push({ lease, ready: prepared.ready, details: prepared.details });
  }

  async #measureAll(): Promise<void> {
    const { mayMeasure } = this.#options;
    const { signal } = this.#ending;
    while (!signal.aborted) {
      const change = this.#changed.next();
      const next = this.#queue.shift();
      if (next === undefined) {
        if (this.#isFilled && this.#preparing.size === 0) return;
        await change;
        continue;
      }
      if (!mayMeasure()) {
        this.#end();
        return;
      }
      this.#measuring = next.lease.trial;
      this.#change();
      await this.#turns.run(() => this.#measure(next));
      this.#measuring = undefined;
      this.#change();
    }
  }

  async #measure({ lease, ready, details }: Queued<Ready>): Promise<void> {
    const { ledger, tools } = this.#options;
    const trials = await ledger.trials();
    const twin = sameBinary(trials, details.binary);
    if (twin?.outcome !== undefined) {
      await this.#tell(lease, twin.outcome, { ...details, same_binary_as: twin.number });
      return;
    }
    const { signal } = this.#options;
    const measured = await ended(signal, () => tools.measure(ready, trials, signal));
    if (measured !== undefined) {
      await this.#tell(lease, measured.outcome, { ...details, ...measured.details });
    }
  }

  /** False is an answer, too: the lease was lost, and its present holder reports. */
  async #tell(lease: Lease, outcome: TrialOutcome, details: TrialDetails): Promise<void> {
    await this.#options.ledger.tell(lease, outcome, details);
  }
}

/** What the work gives, or undefined where it failed because it was told to end. */
async function ended<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    const result = await work();
    return signal.aborted ? undefined : result;
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}

/** A trial of the same program that was run. One that a gate stopped before tells nothing about the program's time. */
function sameBinary(trials: readonly Trial[], binary: string | undefined): Trial | undefined {
  if (binary === undefined) return undefined;
  return trials.find(
    (trial) =>
      trial.binary === binary &&
      trial.outcome !== undefined &&
      (trial.outcome.status === 'measured' || trial.outcome.gate === 'run'),
  );
}

/** The fastest time so far: what a variant is hopeless against. */
export function incumbent_ms(trials: readonly Trial[]): number | undefined {
  return measuredTrials(trials)[0]?.outcome.time_ms;
}
