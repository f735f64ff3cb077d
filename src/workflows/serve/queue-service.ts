/** What a server answers from about submissions: the queue, and who waits for an answer. */
import { setTimeout as sleep } from 'node:timers/promises';

import { PawlError } from '../../model/pawl-error.ts';
import type { Leaderboard, QueueStatus, SubmissionRequest } from '../../model/queue/queue.ts';
import type { WorkAnswer, WorkRequest } from '../../model/queue/queue-work.ts';
import { openQueue } from '../../queue/open-queue.ts';
import type { Environment } from '../../os/environment.ts';
import type { Caller, Found, Queue, Refusal, Submitted } from '../../queue/queue.ts';
import { offerProject } from '../../queue/offer-project.ts';
import { queuePlace } from '../../queue/queue-place.ts';
import { canonicalFiles, textsHash } from '../../adopt/candidate/candidate-sources.ts';
import { QueueHandle } from '../../queue/queue-handle.ts';

export type { Caller, Refusal } from '../../queue/queue.ts';

export interface OpenQueueServiceOptions {
  readonly queue?: string | undefined;
  readonly config?: string | undefined;
  readonly env: Environment;
  /** The database went away, or came back. */
  readonly onChange: (isUp: boolean, why?: string) => void;
  readonly onTrouble: (error: unknown) => void;
}

/** A request does not wait longer for a database that is away: its client is told to come again. */
const PATIENCE_MS = 2000;
/** Judgements take seconds; all who wait are one question. */
const POLL_MS = 200;
/** Leases that ran out are looked for, also where no worker is left to ask. */
const REAP_MS = 5000;
/** The id of none. */
const NO_SUBMISSION = '-';
/** How often a database that is away is asked whether it is back. */
const AWAY_MS = 1000;

/**
 * Opens the queue of a server, and offers the problems of its pawl.yaml. A database that is away may come back, and the
 * server waits for it; one that refuses, or is not a queue, is said at once.
 */
export async function openQueueService(options: OpenQueueServiceOptions): Promise<QueueService> {
  const { queue: named, config, env, onChange } = options;
  const place = await queuePlace(named, { config, env });
  const open = async (): Promise<Queue> => {
    const queue = await openQueue(place, { patience_ms: PATIENCE_MS });
    try {
      await offerProject(queue, config);
      return queue;
    } catch (error) {
      await queue.close();
      throw error;
    }
  };
  const handle = new QueueHandle({ open, now_ms: () => performance.now(), onChange });
  try {
    await handle.use(() => Promise.resolve());
  } catch (error) {
    if (!isAway(error)) {
      await handle.close();
      throw error;
    }
  }
  return new QueueService(handle, options.onTrouble);
}

function isAway(error: unknown): boolean {
  return error instanceof PawlError && error.kind === 'unavailable';
}

export class QueueService {
  readonly #queue: QueueHandle;
  readonly #onTrouble: (error: unknown) => void;
  readonly #waiting = new Map<string, Set<() => void>>();
  readonly #aborter = new AbortController();
  readonly #watching: Promise<void>;

  constructor(queue: QueueHandle, onTrouble: (error: unknown) => void) {
    this.#queue = queue;
    this.#onTrouble = onTrouble;
    this.#watching = this.#watch();
  }

  /** Whether the database answers, as any question to it would tell. */
  async ping(): Promise<void> {
    await this.#queue.use((queue) => queue.finished([NO_SUBMISSION]));
  }

  callerOf(token: string): Promise<Caller | undefined> {
    return this.#queue.use((queue) => queue.callerOf(token));
  }

  async submit(tenant: string, request: SubmissionRequest): Promise<Submitted | Refusal> {
    const files = sentFiles(request.files);
    const asked = { ...request, tenant, files, sources_sha256: textsHash(files) };
    return this.#queue.use((queue) => queue.submit(asked));
  }

  /** As it is when it has its answer, or after that long. */
  async wait(id: string, wait_s: number): Promise<Found | undefined> {
    const found = await this.#find(id);
    if (found === undefined || found.isFinished || wait_s === 0) return found;
    await this.#finished(id, wait_s);
    return this.#find(id);
  }

  #find(id: string): Promise<Found | undefined> {
    return this.#queue.use((queue) => queue.find(id));
  }

  sources(id: string): ReturnType<Queue['sources']> {
    return this.#queue.use((queue) => queue.sources(id));
  }

  cancel(id: string): Promise<boolean> {
    return this.#queue.use((queue) => queue.cancel(id));
  }

  leaderboard(problem: string, device_class: string | undefined): Promise<Leaderboard | undefined> {
    return this.#queue.use((queue) => queue.leaderboard(problem, device_class));
  }

  async problems(): Promise<QueueStatus['problems']> {
    return (await this.#queue.use((queue) => queue.status())).problems;
  }

  /** What a worker that reaches no database asks. */
  work(request: WorkRequest): Promise<WorkAnswer> {
    return this.#queue.use((queue) => workOn(queue, request));
  }

  /** Waiting callers get what there is. */
  endWaiting(): void {
    for (const waiters of this.#waiting.values()) for (const wake of waiters) wake();
  }

  async close(): Promise<void> {
    this.#aborter.abort();
    this.endWaiting();
    await this.#watching;
    await this.#queue.close();
  }

  async #finished(id: string, wait_s: number): Promise<void> {
    const aborter = new AbortController();
    const waiters = this.#waiting.get(id) ?? new Set();
    this.#waiting.set(id, waiters);
    let wake = () => undefined as void;
    const woken = new Promise<void>((resolve) => {
      wake = resolve;
    });
    waiters.add(wake);
    const timer = sleep(1000 * wait_s, undefined, { signal: aborter.signal }).catch(() => undefined);
    await Promise.race([woken, timer]);
    aborter.abort();
    waiters.delete(wake);
    if (waiters.size === 0) this.#waiting.delete(id);
  }

  async #watch(): Promise<void> {
    const { signal } = this.#aborter;
    let reaped_ms = performance.now();
    while (!signal.aborted) {
      await sleep(POLL_MS, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        if (performance.now() - reaped_ms > REAP_MS) {
          await this.#queue.use((queue) => queue.reap());
          reaped_ms = performance.now();
        }
        const ids = [...this.#waiting.keys()];
        // Without a question only one that never was there is looked for.
        if (ids.length === 0 && this.#queue.isOpen) continue;
        const finished = await this.#queue.use((queue) => queue.finished(ids));
        for (const id of finished) for (const wake of this.#waiting.get(id) ?? []) wake();
      } catch (error) {
        // That it is away is told once, where it is noticed.
        if (!isAway(error)) this.#onTrouble(error);
        await sleep(AWAY_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  }
}

async function workOn(queue: Queue, request: WorkRequest): Promise<WorkAnswer> {
  const { worker } = request;
  const done = (counts: boolean): WorkAnswer => ({ state: 'done', counts });
  switch (request.op) {
    case 'join':
      await queue.join(worker, request.judges);
      return { state: 'done' };
    case 'leave':
      await queue.leave(worker);
      return { state: 'done' };
    case 'lease': {
      const lease = await queue.lease(request);
      return lease.state === 'leased' ? { ...lease, files: { ...lease.files } } : lease;
    }
    case 'beat':
      return { state: 'done', kept: [...(await queue.beat(worker, request.held, request.lease_s))] };
    case 'answer':
      return done(await queue.answer(worker, request.lease, request.judgement));
    case 'fail':
      return done(await queue.fail(worker, request.lease, request.error));
    case 'return':
      return done(await queue.giveBack(worker, request.lease));
  }
}

/** @throws {PawlError} of kind `usage`: it is the request that is wrong, not the store */
function sentFiles(files: SubmissionRequest['files']): Record<string, string> {
  try {
    return canonicalFiles(files);
  } catch (error) {
    throw error instanceof PawlError ? new PawlError('usage', error.message) : error;
  }
}
