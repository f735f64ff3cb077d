import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

import { DAY_MS } from '../../model/moment.ts';
import { PawlError } from '../../model/pawl-error.ts';
import { wakeRecordSchema, type WakeRecord } from '../../model/wake-record.ts';
import { applyRecord, emptyState, type WakeState } from './wake-state.ts';

const JOURNAL = 'journal.jsonl';
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
  readonly #folder: string;
  #file: number;
  #records = 0;

  /** Opens the journal of a folder, and replays it. `undefined`: one that is kept in memory only. */
  constructor(folder: string | undefined) {
    this.#folder = folder ?? '';
    this.#file = folder === undefined ? -1 : this.#open(folder);
  }

  /** On disk when this returns. */
  add(record: WakeRecord): void {
    if (this.#file >= 0) this.#write(`${JSON.stringify(record)}\n`);
    applyRecord(this.state, record);
    this.#records += 1;
  }

  /** Replaces the records by what they add up to, once there are many; leaves out what is too old to matter. */
  compact(now: Date, after: number = COMPACT_AFTER): void {
    if (this.#records < after) return;
    forget(this.state, now.getTime() - REMEMBERED_MS);
    this.#records = 0;
    if (this.#file < 0) return;
    const path = join(this.#folder, JOURNAL);
    const snapshot: WakeRecord = {
      type: 'snapshot',
      at: now.toISOString(),
      deliveries: [...this.state.deliveries],
      jobs: [...this.state.jobs.values()],
      hosts: [...this.state.hosts],
    };
    rmSync(`${path}.tmp`, { force: true });
    const draft = openSync(`${path}.tmp`, 'ax', 0o600);
    try {
      writeWhole(draft, `${JSON.stringify(snapshot)}\n`);
      fsyncSync(draft);
      renameSync(`${path}.tmp`, path);
    } catch (error) {
      closeSync(draft);
      throw error;
    }
    closeSync(this.#file);
    this.#file = draft;
    flushFolder(this.#folder);
  }

  /** All of a line or nothing: half of one, on a full disk, would spoil the next. */
  #write(line: string): void {
    const { size } = fstatSync(this.#file);
    try {
      writeWhole(this.#file, line);
      fsyncSync(this.#file);
    } catch (error) {
      ftruncateSync(this.#file, size);
      throw error;
    }
  }

  close(): void {
    if (this.#file >= 0) closeSync(this.#file);
    this.#file = -1;
  }

  #open(folder: string): number {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, JOURNAL);
    const isNew = !existsSync(path);
    const file = openSync(path, 'a+', 0o600);
    if (isNew) flushFolder(folder);
    const bytes = readFileSync(path);
    // The last line of a server that was killed may be cut short; it was never acted upon.
    const whole = bytes.lastIndexOf(0x0a) + 1;
    if (whole < bytes.length) ftruncateSync(file, whole);
    const lines = bytes.subarray(0, whole).toString('utf8').split('\n').slice(0, -1);
    for (const [index, line] of lines.entries()) {
      applyRecord(this.state, readRecord(line, path, index + 1));
      this.#records += 1;
    }
    return file;
  }
}

function readRecord(line: string, path: string, number: number): WakeRecord {
  try {
    return wakeRecordSchema.parse(JSON.parse(line));
  } catch {
    throw new PawlError(
      'bad-data',
      `${path}:${number} is no record of a wake server.`,
      'Move the file away to start afresh: hosts are then woken by the next job, and put to sleep after it.',
    );
  }
}

/** What is older than anything that may still be told about it. */
function forget({ deliveries, jobs }: WakeState, before_ms: number): void {
  for (const [id, at] of deliveries) if (Date.parse(at) < before_ms) deliveries.delete(id);
  for (const [key, { since, action, expired }] of jobs) {
    if ((action === 'completed' || expired) && Date.parse(since) < before_ms) jobs.delete(key);
  }
}

function writeWhole(file: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
}

function flushFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
