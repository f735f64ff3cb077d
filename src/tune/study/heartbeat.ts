import { Worker } from 'node:worker_threads';

import type { StorePlace } from './open-store.ts';

export interface HeartbeatOptions {
  readonly place: StorePlace;
  readonly study: string;
  readonly worker: string;
  readonly every_ms: number;
}

/** Two beats may get lost before a lease does. */
const BEATS_A_LEASE = 3;

export function beatEvery_ms(lease_s: number): number {
  return (1000 * lease_s) / BEATS_A_LEASE;
}

/**
 * Says that a worker is alive from a thread and a connection of its own: whatever the worker's own thread waits for,
 * and a busy database queue, cannot hold it up. A process that is stopped stops this, too, which is what it is for.
 */
export class Heartbeat {
  readonly #thread: Worker;
  readonly #failed: Promise<never>;

  constructor(options: HeartbeatOptions) {
    this.#thread = new Worker(new URL('./heartbeat-thread.js', import.meta.url), { workerData: options });
    this.#failed = new Promise((_, reject) => {
      this.#thread.once('error', reject);
    });
    // A worker that does not watch it hears nothing: its leases run out, and its outcomes are refused.
    this.#failed.catch(() => undefined);
  }

  /** Rejects when it cannot go on. */
  get failed(): Promise<never> {
    return this.#failed;
  }

  async stop(): Promise<void> {
    await this.#thread.terminate();
  }
}
