/**
 * `.pawl/sessions/<id>/journal.jsonl`: a line for everything that happened in a session. A line is on disk before
 * anything is done that depends on it, so a killed command loses what it was measuring and nothing else.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';

import { holderText } from '../../model/device/wait-text.ts';
import { lockName, type HeldLock } from '../../os/named-lock.ts';
import {
  AppendOnlyJournal,
  brokenLine,
  JOURNAL_FILE,
  readJournal as readRecords,
  type JournalKind,
  type JournalText,
} from '../../os/append-only-journal.ts';
import { PawlError } from '../../model/pawl-error.ts';
import { sessionRecordSchema, type SessionRecord } from '../../model/learn/session-record.ts';

const KIND: JournalKind<SessionRecord> = {
  schema: sessionRecordSchema,
  of: 'a session',
  hint: 'Restore the file, or move the folder away and start a new session.',
};
/** Many times what an append takes. */
const APPEND_WAIT_MS = 30_000;

/** Records to add, seeing those that are there: decided under the lock, so that two writers do not contradict. */
export type Decide = (records: readonly SessionRecord[]) => readonly SessionRecord[];

/** Starts a journal; false where there is one of this name. */
export function createJournal(folder: string, first: SessionRecord): boolean {
  try {
    addTo(AppendOnlyJournal.create(join(folder, JOURNAL_FILE)), [first]);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Adds records and returns all of them. */
export async function appendToJournal(folder: string, decide: Decide): Promise<readonly SessionRecord[]> {
  const lock = await lockSession(folder, 'append', 'writing down what happened', APPEND_WAIT_MS);
  try {
    const read = readLines(folder);
    const records = read?.records ?? [];
    const added = decide(records);
    if (added.length === 0) return records;
    addTo(AppendOnlyJournal.open(join(folder, JOURNAL_FILE), read), added);
    return [...records, ...added];
  } finally {
    await lock.release();
  }
}

/** None: the folder holds no session yet. */
export async function readJournal(folder: string): Promise<readonly SessionRecord[]> {
  return readLines(folder)?.records ?? [];
}

/**
 * One command that measures for a session at a time. Notes are taken meanwhile: they only append. Like the device's
 * lock, whose limits it shares, it is gone with its process.
 */
export function lockSessionWork(folder: string, purpose: string, wait_ms = 0): Promise<HeldLock> {
  return lockSession(folder, 'work', purpose, wait_ms);
}

async function lockSession(
  folder: string,
  what: 'append' | 'work',
  purpose: string,
  wait_ms: number,
): Promise<HeldLock> {
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 32);
  const lock = await lockName({ id: `session-${what}-${name}`, purpose, wait_ms });
  if (lock.state === 'held') return lock;
  throw new PawlError(
    'try-again',
    `The session is in use by ${holderText(lock.holder)}.`,
    'One command at a time works on a session: wait for it, or give --wait SECONDS.',
  );
}

function addTo(journal: AppendOnlyJournal, records: readonly SessionRecord[]): void {
  try {
    journal.add(...records);
  } finally {
    journal.close();
  }
}

function readLines(folder: string): JournalText<SessionRecord> | undefined {
  const path = join(folder, JOURNAL_FILE);
  const read = readRecords(path, KIND);
  const misplaced =
    read?.records.findIndex(({ type }, index) => (type === 'started') !== (index === 0)) ?? -1;
  if (misplaced >= 0) throw brokenLine(path, misplaced + 1, KIND);
  return read;
}
