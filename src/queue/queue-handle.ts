import { PawlError } from '../model/pawl-error.ts';
import type { Queue } from './queue.ts';

interface QueueHandleOptions {
  /** Opens it, and makes it ready for use. */
  readonly open: () => Promise<Queue>;
  readonly now_ms: () => number;
  /** Told when it goes away and when it comes back. */
  readonly onChange: (isUp: boolean, why?: string) => void;
}

/** After a failed opening, the next is tried no sooner: a hundred waiting requests are one try. */
const PAUSE_MS = 1000;

/** The queue of a server that runs for months: its database may be away when the server starts, and later. */
export class QueueHandle {
  readonly #options: QueueHandleOptions;
  #opened: Promise<Queue> | undefined;
  #failed: { readonly at_ms: number; readonly error: unknown } | undefined;
  #isUp: boolean | undefined;
  #isClosed = false;
  #isOpen = false;

  constructor(options: QueueHandleOptions) {
    this.#options = options;
  }

  /** It was opened: from then on the connections are opened again by themselves. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  async use<Result>(action: (queue: Queue) => Promise<Result>): Promise<Result> {
    try {
      const result = await action(await this.#queue());
      this.#tell(true);
      return result;
    } catch (error) {
      if (error instanceof PawlError && error.kind === 'unavailable') this.#tell(false, error.message);
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const opened = await this.#opened?.catch(() => undefined);
    this.#opened = undefined;
    await opened?.close();
  }

  async #queue(): Promise<Queue> {
    if (this.#isClosed) throw new PawlError('unavailable', 'The server is stopping.');
    const { open, now_ms } = this.#options;
    if (this.#opened === undefined) {
      const failed = this.#failed;
      if (failed !== undefined && now_ms() - failed.at_ms < PAUSE_MS) throw failed.error;
      this.#opened = open().catch((error: unknown) => {
        this.#failed = { at_ms: now_ms(), error };
        this.#opened = undefined;
        throw error;
      });
    }
    const queue = await this.#opened;
    this.#isOpen = true;
    return queue;
  }

  #tell(isUp: boolean, why?: string): void {
    if (this.#isUp === isUp) return;
    const isFirst = this.#isUp === undefined;
    this.#isUp = isUp;
    if (!isUp || !isFirst) this.#options.onChange(isUp, why);
  }
}
