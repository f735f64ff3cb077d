import { PawlError } from '../../model/pawl-error.ts';

export interface NewestRunOptions {
  /** The id of the newest run in the store. */
  readonly find: () => Promise<string | undefined>;
  readonly isWatched: () => boolean;
  readonly onNew: (id: string) => void;
  readonly onTrouble: (error: unknown) => void;
  readonly interval_ms: number;
}

/** An upload may be older than the newest run, which is then newest again. */
const MOST_SEEN = 1000;

/** Sees runs that others stored: a `bench` on this machine, or another server on the same store. */
export class NewestRun {
  readonly #options: NewestRunOptions;
  readonly #timer: NodeJS.Timeout;
  readonly #seen = new Set<string>();
  #isFirst = true;
  #looking: Promise<void> | undefined;

  constructor(options: NewestRunOptions) {
    this.#options = options;
    this.#timer = setInterval(() => {
      if (options.isWatched()) this.#looking ??= this.#look();
      // Whoever comes next asks for everything anyway.
      else this.#isFirst = true;
    }, options.interval_ms);
    this.#timer.unref();
  }

  /** Stored by ourselves, and told already. */
  saw(id: string): void {
    this.#seen.add(id);
    if (this.#seen.size > MOST_SEEN) this.#seen.delete(this.#seen.values().next().value!);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking;
  }

  async #look(): Promise<void> {
    try {
      const id = await this.#options.find();
      if (id !== undefined && !this.#seen.has(id)) {
        this.saw(id);
        if (!this.#isFirst) this.#options.onNew(id);
      }
      this.#isFirst = false;
    } catch (error) {
      // A store that is away is told of by those who ask it.
      if (!(error instanceof PawlError)) this.#options.onTrouble(error);
    } finally {
      this.#looking = undefined;
    }
  }
}
