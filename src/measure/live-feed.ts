import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { isAlive } from '../os/process-identity.ts';
import { JOURNAL_FILE } from '../os/append-only-journal.ts';
import type { LiveEvent } from '../model/server/live-event.ts';
import { JournalTail } from './journal-tail.ts';
import { LiveRunState } from './live-run-state.ts';
import { LiveStudyState } from './live-study-state.ts';

export interface NumberedEvent {
  /** `<feed>-<number>`: another server's numbers mean nothing here. */
  readonly id: string;
  readonly event: LiveEvent;
}

export interface LiveFeedOptions {
  /** The folder that holds `runs` and `studies`. */
  readonly folder: string;
  /** Tells this feed's numbers from those of others; letters and digits. */
  readonly name: string;
  readonly interval_ms: number;
  readonly onTrouble?: (error: unknown) => void;
}

/** As much as a client that lost its connection for a while may have missed. */
const REMEMBERED = 2000;
/** Folders are looked at from the newest on. */
const MOST_JOURNALS = 200;
/** How long the feed goes on watching when no one listens: a client that connects again finds what it missed. */
const LINGER_MS = 60_000;

type State = LiveRunState | LiveStudyState;

/**
 * Runs and studies of this project as they happen, read from their journals: those who measure need know nothing of
 * a server. Looks only while somebody listens.
 */
export class LiveFeed {
  readonly #options: LiveFeedOptions;
  readonly #watched = new Map<string, { readonly tail: JournalTail; readonly state: State }>();
  readonly #listeners = new Set<(event: NumberedEvent) => void>();
  #events: NumberedEvent[] = [];
  #number = 0;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #idleSince_ms: number | undefined;

  constructor(options: LiveFeedOptions) {
    this.#options = options;
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  /**
   * Tells what happened after `lastId`, or, where that is not known any more, all that is under way; then what
   * happens. Returns how to stop.
   */
  async listen(listener: (event: NumberedEvent) => void, lastId?: string): Promise<() => void> {
    if (this.#timer === undefined) this.#start();
    await this.#look();
    const missed = this.#after(lastId);
    for (const event of missed ?? [this.#snapshot()]) listener(event);
    this.#listeners.add(listener);
    this.#idleSince_ms = undefined;
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#idleSince_ms = performance.now();
    };
  }

  /** Something that no journal says. */
  tell(event: LiveEvent): void {
    if (this.#timer !== undefined) this.#publish(event);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    await this.#looking;
  }

  #start(): void {
    // What happened while no one watched has no numbers: a client that asks for it gets a snapshot.
    this.#watched.clear();
    this.#events = [];
    this.#number += 1;
    this.#timer = setInterval(() => {
      const idle_ms = this.#idleSince_ms === undefined ? 0 : performance.now() - this.#idleSince_ms;
      if (this.#listeners.size === 0 && idle_ms > LINGER_MS) {
        clearInterval(this.#timer);
        this.#timer = undefined;
      } else void this.#look();
    }, this.#options.interval_ms);
    this.#timer.unref();
  }

  #snapshot(): NumberedEvent {
    const live = [...this.#watched.values()].map(({ state }) => state).filter(({ isOver }) => !isOver);
    return {
      id: this.#id(this.#number),
      event: {
        type: 'snapshot',
        runs: live.flatMap((state) => (state instanceof LiveRunState ? [state.summary] : [])),
        studies: live.flatMap((state) => (state instanceof LiveStudyState ? [state.summary] : [])),
      },
    };
  }

  #id(number: number): string {
    return `${this.#options.name}-${number}`;
  }

  #after(lastId: string | undefined): readonly NumberedEvent[] | undefined {
    const found = /^([a-z0-9]+)-(\d{1,15})$/i.exec(lastId ?? '');
    if (found === null || found[1] !== this.#options.name) return undefined;
    const number = Number(found[2]);
    const first = this.#number - this.#events.length;
    if (number < first || number > this.#number) return undefined;
    return this.#events.slice(number - first);
  }

  #publish(event: LiveEvent): void {
    this.#number += 1;
    const numbered = { id: this.#id(this.#number), event };
    this.#events.push(numbered);
    if (this.#events.length > REMEMBERED) this.#events.splice(0, this.#events.length - REMEMBERED);
    for (const listener of this.#listeners) listener(numbered);
  }

  /** One look at a time; who asks during one gets that one. */
  #look(): Promise<void> {
    this.#looking ??= this.#lookAtAll()
      .catch((error: unknown) => this.#options.onTrouble?.(error))
      .finally(() => {
        this.#looking = undefined;
      });
    return this.#looking;
  }

  async #lookAtAll(): Promise<void> {
    for (const kind of ['runs', 'studies'] as const) {
      const folder = join(this.#options.folder, kind);
      for (const name of await newest(folder)) {
        const path = join(folder, name, JOURNAL_FILE);
        if (this.#watched.has(path)) continue;
        const state = kind === 'runs' ? new LiveRunState(name) : new LiveStudyState(name);
        await this.#lookAtNew(path, state);
      }
    }
    for (const [path, { tail, state }] of this.#watched) await this.#lookAt(path, tail, state);
  }

  /** What was over before anyone looked is not news. */
  async #lookAtNew(path: string, state: State): Promise<void> {
    const tail = new JournalTail(path);
    const records = await tail.read();
    if (typeof records === 'string') return;
    for (const record of records) state.add(record);
    if (!(await lives(state))) state.isOver = true;
    this.#watched.set(path, { tail, state });
    if (state.isOver) return;
    this.#publish(
      state instanceof LiveRunState
        ? { type: 'run', run: state.summary }
        : { type: 'study', study: state.summary },
    );
  }

  async #lookAt(path: string, tail: JournalTail, state: State): Promise<void> {
    const records = await tail.read();
    if (records === 'gone' || records === 'again') {
      this.#watched.delete(path);
      if (!state.isOver) this.#end(state, 'finished');
      return;
    }
    for (const event of records.flatMap((record) => state.add(record))) this.#publish(event);
    if (!state.isOver && !(await lives(state))) this.#end(state, 'died');
  }

  #end(state: State, how: 'finished' | 'died'): void {
    state.isOver = true;
    const what = state instanceof LiveRunState ? { run: state.id } : { study: state.id };
    this.#publish({ type: 'finished', ...what, how });
  }
}

async function lives({ owner, isOver }: State): Promise<boolean> {
  return !isOver && owner !== undefined && isAlive(owner);
}

async function newest(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
    throw error;
  });
  return names.sort((one, other) => one.localeCompare(other)).slice(-MOST_JOURNALS);
}
