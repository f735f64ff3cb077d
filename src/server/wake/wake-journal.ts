import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { DAY_MS } from '../../model/text/moment.ts';
import { wakeRecordSchema, type WakeRecord } from '../../model/server/wake-record.ts';
import {
  AppendOnlyJournal,
  JOURNAL_FILE,
  readJournal,
  type JournalKind,
} from '../../os/append-only-journal.ts';
import { applyRecord, emptyState, type WakeState } from './wake-state.ts';

const KIND: JournalKind<WakeRecord> = {
  schema: wakeRecordSchema,
  of: 'a wake server',
  hint: 'Move the file away to start afresh: hosts are then woken by the next job, and put to sleep after it.',
};
/** It names repositories and people: only its owner may read it. */
const MODE = 0o600;
/** Records after which they are replaced by a snapshot: a fraction of a second to replay. */
const COMPACT_AFTER = 5_000;
/**
 * How long jobs and deliveries are remembered. A job may wait for an approval for 30 days before it is queued (the
 * limit for environments), and a delivery may be sent again while GitHub keeps it, which is shorter.
 */
export const REMEMBERED_MS = 31 * DAY_MS;

/** Where a wake server writes down what happened, before it answers or acts. */
export class WakeJournal {
  readonly state: WakeState = emptyState();
  #journal: AppendOnlyJournal | undefined;
  #records = 0;

  /** Opens the journal of a folder, and replays it. `undefined`: one that is kept in memory only. */
  constructor(folder: string | undefined) {
    this.#journal = folder === undefined ? undefined : this.#open(folder);
  }

  /** On disk when this returns. */
  add(record: WakeRecord): void {
    this.#journal?.add(record);
    this.#apply(record);
  }

  /** Replaces the records by what they add up to, once there are many; leaves out what is too old to matter. */
  compact(now: Date, after: number = COMPACT_AFTER): void {
    if (this.#records < after) return;
    forget(this.state, now.getTime() - REMEMBERED_MS);
    this.#records = 0;
    const snapshot: WakeRecord = {
      type: 'snapshot',
      at: now.toISOString(),
      deliveries: [...this.state.deliveries],
      jobs: [...this.state.jobs.values()],
      hosts: [...this.state.hosts],
    };
    this.#journal?.replaceAll(snapshot);
  }

  close(): void {
    this.#journal?.close();
    this.#journal = undefined;
  }

  #open(folder: string): AppendOnlyJournal {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, JOURNAL_FILE);
    const read = readJournal(path, KIND);
    for (const record of read?.records ?? []) this.#apply(record);
    return AppendOnlyJournal.open(path, read, MODE);
  }

  #apply(record: WakeRecord): void {
    applyRecord(this.state, record);
    this.#records += 1;
  }
}

/** What is older than anything that may still be told about it. */
function forget({ deliveries, jobs }: WakeState, before_ms: number): void {
  for (const [id, at] of deliveries) if (Date.parse(at) < before_ms) deliveries.delete(id);
  for (const [key, { since, action, expired }] of jobs) {
    if ((action === 'completed' || expired) && Date.parse(since) < before_ms) jobs.delete(key);
  }
}
