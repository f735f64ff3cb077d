import { setTimeout as sleep } from 'node:timers/promises';

import { defined } from '../model/defined.ts';
import type { Judgement } from '../model/queue/judgement.ts';
import type { ShiftEvent } from '../model/queue/shift-event.ts';
import { PawlError } from '../model/pawl-error.ts';
import type { Lease, LeaseKey, OfferedJudge, Queue } from './queue.ts';

/** All that a worker asks of a queue. */
export type WorkerQueue = Pick<Queue, 'join' | 'leave' | 'lease' | 'beat' | 'answer' | 'fail' | 'giveBack'>;

/** What judges the candidates of one problem here. */
export interface Judging<Built = unknown> {
  readonly offered: OfferedJudge;
  /** Called while other candidates are judged. */
  build(lease: Lease): Promise<Built>;
  /**
   * Judges some candidates together, and tells of each as soon as it has its judgement or cannot be judged. Called for
   * one group at a time.
   */
  judge(
    group: readonly Built[],
    onJudged: (at: number, judged: PromiseSettledResult<Judgement>) => void,
  ): Promise<void>;
  remove(built: Built): Promise<void>;
}

export interface ShiftOptions {
  /** No other worker has this name. */
  readonly worker: string;
  readonly lease_s: number;
  /** Candidates that are built, or wait to be judged, beside those that are judged. */
  readonly ahead: number;
  /** Candidates that are judged together. */
  readonly together: number;
  /** How often an empty queue is asked. */
  readonly poll_ms: number;
  /** It ends after so long without work; default: never. */
  readonly idle_s?: number | undefined;
  readonly signal: AbortSignal;
  readonly onEvent: (event: ShiftEvent) => void;
}

/** Two beats may get lost before a lease does. */
const BEATS_A_LEASE = 3;

interface Held {
  readonly lease: Lease;
  readonly judging: Judging;
  built?: PromiseSettledResult<unknown>;
  /** It is built, and its turn has come. */
  isJudged: boolean;
  isLost: boolean;
}

/** Leases submissions, builds ahead while others are judged, answers, until the signal; then gives back what it holds. */
export class Shift {
  readonly #queue: WorkerQueue;
  readonly #judgings: ReadonlyMap<string, Judging>;
  readonly #options: ShiftOptions;
  /** In the order in which they were leased. */
  readonly #held = new Map<string, Held>();
  readonly #builds = new Set<Promise<void>>();
  #wake: () => void = () => undefined;

  constructor(queue: WorkerQueue, judgings: readonly Judging[], options: ShiftOptions) {
    this.#queue = queue;
    this.#judgings = new Map(judgings.map((judging) => [judging.offered.problem, judging]));
    this.#options = options;
  }

  /** @returns how many submissions it answered */
  async run(): Promise<number> {
    const { worker, signal, poll_ms, idle_s = Number.POSITIVE_INFINITY } = this.#options;
    const offered = [...this.#judgings.values()].map((judging) => judging.offered);
    await this.#queue.join(worker, offered);
    const beating = this.#beat();
    let answered = 0;
    let idleSince_ms = performance.now();
    const onAbort = () => this.#wake();
    signal.addEventListener('abort', onAbort);
    try {
      while (!signal.aborted) {
        await this.#fill(offered);
        const group = this.#ready();
        if (group.length > 0) {
          for (const one of group) one.isJudged = true;
          const [judged, filled] = await Promise.allSettled([this.#judge(group), this.#fill(offered)]);
          for (const one of [judged, filled]) if (one.status === 'rejected') throw one.reason;
          if (judged.status === 'fulfilled') answered += judged.value;
          idleSince_ms = performance.now();
          continue;
        }
        if (this.#held.size > 0) idleSince_ms = performance.now();
        if (performance.now() - idleSince_ms > 1000 * idle_s) break;
        await this.#pause(poll_ms);
      }
    } finally {
      signal.removeEventListener('abort', onAbort);
      beating.stop();
      await this.#end();
    }
    return answered;
  }

  async #fill(judges: readonly OfferedJudge[]): Promise<void> {
    const { worker, lease_s, ahead, signal } = this.#options;
    const waiting = (): number => [...this.#held.values()].filter(({ isJudged }) => !isJudged).length;
    while (!signal.aborted && waiting() <= ahead && !this.#isAlone()) {
      const lease = await this.#queue.lease({ worker, judges, holds: this.#held.size, lease_s });
      if (lease.state !== 'leased') return;
      const { id, alone, judge } = lease;
      const judging = this.#judgings.get(judge.problem)!;
      const held: Held = { lease, judging, isJudged: false, isLost: false };
      this.#held.set(id, held);
      this.#options.onEvent({ event: 'leased', id, problem: judge.problem, alone });
      const build = this.#build(held).finally(() => this.#builds.delete(build));
      this.#builds.add(build);
    }
  }

  #isAlone(): boolean {
    return [...this.#held.values()].some(({ lease }) => lease.alone);
  }

  async #build(held: Held): Promise<void> {
    const [built] = await Promise.allSettled([held.judging.build(held.lease)]);
    held.built = built;
    this.#wake();
  }

  /** Those that are built, in the order in which they were leased, of the problem of the first. */
  #ready(): Held[] {
    const built = [...this.#held.values()].filter((one) => one.built !== undefined);
    return built.filter(({ judging }) => judging === built[0]!.judging).slice(0, this.#options.together);
  }

  /** @returns how many it answered */
  async #judge(group: readonly Held[]): Promise<number> {
    const told: Promise<boolean>[] = [];
    const tell = (held: Held, judged: PromiseSettledResult<Judgement>): void => {
      const telling = this.#tell(held, judged);
      // It is awaited at the end of the group.
      telling.catch(() => undefined);
      told.push(telling);
    };
    const built: unknown[] = [];
    const left = new Map<number, Held>();
    for (const held of group) {
      if (held.isLost) this.#tellLost(held);
      else if (held.built?.status === 'fulfilled') left.set(built.push(held.built.value) - 1, held);
      else tell(held, { status: 'rejected', reason: held.built?.reason });
    }
    try {
      const judging =
        built.length === 0
          ? undefined
          : group[0]!.judging.judge(built, (at, judged) => {
              const held = left.get(at)!;
              left.delete(at);
              tell(held, judged);
            });
      const [ended] = await Promise.allSettled([judging]);
      if (ended.status === 'rejected') for (const held of left.values()) tell(held, ended);
      return (await Promise.all(told)).filter(Boolean).length;
    } finally {
      for (const { lease, judging, built: one } of group) {
        this.#held.delete(lease.id);
        if (one?.status === 'fulfilled') await judging.remove(one.value);
      }
    }
  }

  /** @returns whether the answer counts */
  async #tell({ lease, judging }: Held, judged: PromiseSettledResult<Judgement>): Promise<boolean> {
    const { worker, signal, onEvent } = this.#options;
    if (judged.status === 'rejected') {
      if (signal.aborted) await this.#giveBack(lease);
      else await this.#fail(lease, judged.reason);
      return false;
    }
    const judgement = judged.value;
    const counts = await this.#queue.answer(worker, lease, judgement);
    onEvent({ event: 'judged', id: lease.id, problem: judging.offered.problem, judgement, counts });
    return counts;
  }

  #tellLost({ lease: { id } }: Held): void {
    this.#options.onEvent({ event: 'lost', id, message: 'its lease expired before it was judged' });
  }

  /** What is wrong here need not be wrong elsewhere. A bug that a candidate finds must not end every worker. */
  async #fail(lease: Lease, error: unknown): Promise<void> {
    const { worker, onEvent } = this.#options;
    const { id } = lease;
    if (error instanceof PawlError) {
      const { kind, message, hint } = error;
      await this.#queue.fail(worker, lease, { kind, message, ...defined({ hint }) });
      onEvent({ event: 'failed', id, message });
      return;
    }
    const message = 'A bug in Pawl; the log of the worker says more.';
    await this.#queue.fail(worker, lease, { kind: 'internal', message });
    const told = error instanceof Error ? (error.stack ?? error.message) : String(error);
    onEvent({ event: 'failed', id, message: told });
  }

  async #giveBack(lease: LeaseKey): Promise<void> {
    const { worker, onEvent } = this.#options;
    await this.#queue.giveBack(worker, lease);
    onEvent({ event: 'returned', id: lease.id, message: 'the worker ends' });
  }

  #beat(): { stop(): void } {
    const { worker, lease_s, onEvent } = this.#options;
    const aborter = new AbortController();
    const beat = async (): Promise<void> => {
      for (;;) {
        await sleep((1000 * lease_s) / BEATS_A_LEASE, undefined, { signal: aborter.signal });
        const held = [...this.#held.values()].filter(({ isLost }) => !isLost);
        try {
          const kept = await this.#queue.beat(
            worker,
            held.map(({ lease }) => lease),
            lease_s,
          );
          for (const one of held) one.isLost ||= !kept.has(one.lease.id);
        } catch (error) {
          // The next beat may come through; until then the leases run on.
          onEvent({ event: 'trouble', message: (error as Error).message });
        }
      }
    };
    // Ends by being aborted.
    beat().catch(() => undefined);
    return { stop: () => aborter.abort() };
  }

  /** Until a candidate is built, the signal comes, or it is time to ask again. */
  async #pause(poll_ms: number): Promise<void> {
    const aborter = new AbortController();
    const woken = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    // Workers that were started together must not ask together.
    const pause_ms = poll_ms * (0.5 + Math.random());
    const timer = sleep(pause_ms, undefined, { signal: aborter.signal }).catch(() => undefined);
    await Promise.race([woken, timer]);
    aborter.abort();
    this.#wake = () => undefined;
  }

  async #end(): Promise<void> {
    const { worker, onEvent } = this.#options;
    await Promise.all(this.#builds);
    try {
      for (const { lease, judging, built } of this.#held.values()) {
        if (built?.status === 'fulfilled') await judging.remove(built.value);
        await this.#giveBack(lease);
      }
      await this.#queue.leave(worker);
    } catch (error) {
      // What it holds runs out by itself.
      onEvent({ event: 'trouble', message: (error as Error).message });
    }
    this.#held.clear();
  }
}
