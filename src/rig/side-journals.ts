import { RunJournal } from '../measure/run-journal.ts';
import type { Environment } from '../model/measure/samples.ts';

/**
 * The journals of a comparison's sides: a killed process loses the series under way, and the next command gives
 * the others back (see recover-runs.ts). They are kept until what was made of them is written.
 */
export class SideJournals {
  readonly #open: RunJournal[] = [];

  /** `runs` is the project's folder of runs. */
  async start(runs: string, label: string, environment: Environment, now: Date): Promise<RunJournal> {
    const journal = await RunJournal.start(runs, environment, now, `${this.#open.length + 1}-${label}`);
    this.#open.push(journal);
    return journal;
  }

  async finish(): Promise<void> {
    for (const journal of this.#open.splice(0)) await journal.discard();
  }
}
