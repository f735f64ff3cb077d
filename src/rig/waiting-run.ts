import { hostname } from 'node:os';

import { RunJournal } from '../measure/run-journal.ts';
import type { DeviceWait } from '../model/device/lock-holder.ts';

/** A run that has no device yet, for those who watch the project's runs: a journal that says what it waits for. */
export class WaitingRun {
  readonly #runs: string;
  readonly #now: () => Date;
  #journal: Promise<RunJournal | undefined> | undefined;

  constructor(runs: string, now: () => Date) {
    this.#runs = runs;
    this.#now = now;
  }

  show(wait: DeviceWait): void {
    const environment = { host: hostname(), started_at: this.#now().toISOString() };
    // A folder that cannot be written to is found out by the run itself; who watches sees the run only then.
    this.#journal ??= RunJournal.start(this.#runs, environment, this.#now(), 'waiting').catch(
      () => undefined,
    );
    void this.#journal.then((journal) => journal?.add({ type: 'waiting', ...wait })).catch(() => undefined);
  }

  /** The run has its device, or does not wait any longer. */
  async end(): Promise<void> {
    await (await this.#journal)?.discard();
  }
}
