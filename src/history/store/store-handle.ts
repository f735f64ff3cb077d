import { stat } from 'node:fs/promises';

import { isPostgres } from '../../os/postgres.ts';
import type { History } from '../history.ts';
import { openStore } from './open-store.ts';
import { PawlError } from '../../model/pawl-error.ts';

export interface StoreHandleOptions {
  /** A path, or a `postgres://` address. */
  readonly store: string;
  readonly now_ms: () => number;
  /** Told when it goes away and when it comes back. */
  readonly onChange?: (isUp: boolean, why?: string) => void;
}

/** A request does not wait longer than this for a store that is away: its client is told to come again. */
const PATIENCE_MS = 2000;
/** How often it is looked whether the file is still the one that was opened. */
const LOOK_MS = 500;
/** After a failed opening, the next is tried no sooner: a hundred waiting requests are one try. */
const PAUSE_MS = 1000;

/** The store of a server that runs for months: it may go away, be replaced, and come back. */
export class StoreHandle {
  readonly #options: StoreHandleOptions;
  readonly #isFile: boolean;
  #opened: Promise<{ readonly history: History; readonly file: number | undefined }> | undefined;
  #looked_ms = 0;
  #wasOpened = false;
  #failed: { readonly at_ms: number; readonly error: unknown } | undefined;
  #isUp: boolean | undefined;
  #isClosed = false;

  constructor(options: StoreHandleOptions) {
    this.#options = options;
    this.#isFile = !isPostgres(options.store);
  }

  /** As the last question found it. */
  get isUp(): boolean {
    return this.#isUp === true;
  }

  async use<Result>(action: (history: History) => Promise<Result>): Promise<Result> {
    let opened = this.#opened;
    try {
      const history = await this.#history();
      opened = this.#opened;
      const result = await action(history);
      this.#tell(true);
      return result;
    } catch (error) {
      if (error instanceof PawlError) {
        if (error.kind !== 'usage') this.#tell(false, error.message);
        throw error;
      }
      // It was closed under the question, because its file is another one now.
      if (opened !== this.#opened) throw new PawlError('unavailable', 'The store was replaced.');
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#leave();
  }

  async #history(): Promise<History> {
    if (this.#isClosed) throw new PawlError('unavailable', 'The server is stopping.');
    await this.#look();
    if (this.#opened === undefined) {
      const failed = this.#failed;
      if (failed !== undefined && this.#options.now_ms() - failed.at_ms < PAUSE_MS) throw failed.error;
      this.#opened = this.#open();
    }
    return (await this.#opened).history;
  }

  async #open(): Promise<{ readonly history: History; readonly file: number | undefined }> {
    try {
      // Opening makes a file where there is none: one that was there is waited for, even if others ask meanwhile.
      if (this.#isFile && this.#wasOpened && (await this.#file()) === undefined) throw this.#gone();
      const history = await openStore(this.#options.store, { patience_ms: PATIENCE_MS });
      this.#failed = undefined;
      this.#wasOpened = true;
      return { history, file: await this.#file() };
    } catch (error) {
      this.#failed = { at_ms: this.#options.now_ms(), error };
      this.#opened = undefined;
      throw error;
    }
  }

  /** A file that was removed or replaced would be answered from for ever: an open handle still sees it. */
  async #look(): Promise<void> {
    const now_ms = this.#options.now_ms();
    if (!this.#isFile || !this.#wasOpened || now_ms - this.#looked_ms < LOOK_MS) return;
    this.#looked_ms = now_ms;
    const file = await this.#file();
    const opened = await this.#opened?.catch(() => undefined);
    if (file !== undefined && (opened === undefined || opened.file === file)) return;
    await this.#leave();
    if (file === undefined) {
      this.#looked_ms = 0;
      throw this.#gone();
    }
  }

  #gone(): PawlError {
    return new PawlError('unavailable', `The store ${this.#options.store} is gone.`);
  }

  async #file(): Promise<number | undefined> {
    if (!this.#isFile) return undefined;
    const found = await stat(this.#options.store).catch(() => undefined);
    return found?.ino;
  }

  async #leave(): Promise<void> {
    const opened = await this.#opened?.catch(() => undefined);
    this.#opened = undefined;
    await opened?.history.close();
  }

  #tell(isUp: boolean, why?: string): void {
    if (this.#isUp === isUp) return;
    const isFirst = this.#isUp === undefined;
    this.#isUp = isUp;
    if (!isUp || !isFirst) this.#options.onChange?.(isUp, why);
  }
}
