import { PawlError } from '../model/pawl-error.ts';

export interface PollOptions {
  readonly interval_ms: number;
  readonly isWatched: () => boolean;
  /** `isFirst`: no one was watching before, so what is found then is not news. */
  readonly look: (isFirst: boolean) => Promise<void>;
  readonly onTrouble: (error: unknown) => void;
}

/** Looks into a store again and again while somebody watches, one look at a time. */
export class PollStore {
  readonly #options: PollOptions;
  readonly #timer: NodeJS.Timeout;
  #isFirst = true;
  #looking: Promise<void> | undefined;

  constructor(options: PollOptions) {
    this.#options = options;
    this.#timer = setInterval(() => {
      if (options.isWatched()) this.#looking ??= this.#look();
      // The next listener asks for everything anyway.
      else this.#isFirst = true;
    }, options.interval_ms);
    this.#timer.unref();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking;
  }

  async #look(): Promise<void> {
    try {
      await this.#options.look(this.#isFirst);
      this.#isFirst = false;
    } catch (error) {
      // A store that is away is told of by those who ask it.
      if (!(error instanceof PawlError)) this.#options.onTrouble(error);
    } finally {
      this.#looking = undefined;
    }
  }
}
