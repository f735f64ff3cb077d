import { PollStore, type PollOptions } from './poll-store.ts';

export interface NewestRunOptions extends Omit<PollOptions, 'look'> {
  /** The id of the newest run in the store. */
  readonly find: () => Promise<string | undefined>;
  readonly onNew: (id: string) => void;
}

/** An upload may be older than the newest run, which is then newest again. */
const MOST_SEEN = 1000;

/** Sees runs that others stored: a `bench` on this machine, or another server on the same store. */
export class NewestRun {
  readonly #options: NewestRunOptions;
  readonly #poll: PollStore;
  readonly #seen = new Set<string>();

  constructor(options: NewestRunOptions) {
    this.#options = options;
    this.#poll = new PollStore({ ...options, look: (isFirst) => this.#look(isFirst) });
  }

  /** Stored by ourselves, and told already. */
  saw(id: string): void {
    this.#seen.add(id);
    if (this.#seen.size > MOST_SEEN) this.#seen.delete(this.#seen.values().next().value!);
  }

  close(): Promise<void> {
    return this.#poll.close();
  }

  async #look(isFirst: boolean): Promise<void> {
    const id = await this.#options.find();
    if (id === undefined || this.#seen.has(id)) return;
    this.saw(id);
    if (!isFirst) this.#options.onNew(id);
  }
}
