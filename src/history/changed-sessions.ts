import { PollStore, type PollOptions } from './poll-store.ts';

export interface ChangedSessionsOptions extends Omit<PollOptions, 'look'> {
  /** Revisions by id, of all sessions in the store. */
  readonly find: () => Promise<ReadonlyMap<string, number>>;
  readonly onChange: (session: string, revision: number) => void;
}

/** Sees sessions that began or went on: a session is stored after each step. */
export class ChangedSessions {
  readonly #options: ChangedSessionsOptions;
  readonly #poll: PollStore;
  #known: ReadonlyMap<string, number> = new Map();

  constructor(options: ChangedSessionsOptions) {
    this.#options = options;
    this.#poll = new PollStore({ ...options, look: (isFirst) => this.#look(isFirst) });
  }

  close(): Promise<void> {
    return this.#poll.close();
  }

  async #look(isFirst: boolean): Promise<void> {
    const before = this.#known;
    this.#known = await this.#options.find();
    if (isFirst) return;
    for (const [id, revision] of this.#known)
      if (before.get(id) !== revision) this.#options.onChange(id, revision);
  }
}
