/**
 * `.pawl/sessions/<id>/journal.jsonl`: a line for everything that happened in a session. A line is on disk before
 * anything is done that depends on it, so a killed command loses what it was measuring and nothing else.
 */
import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, ftruncateSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { lockDevice, type DeviceLock } from '../../device/device-lock.ts';
import { PawlError } from '../../model/pawl-error.ts';
import { sessionRecordSchema, type SessionRecord } from '../../model/session-record.ts';

const JOURNAL = 'journal.jsonl';
/** Many times what an append takes. */
const APPEND_WAIT_MS = 30_000;

/** Records to add, seeing those that are there: decided under the lock, so that two writers do not contradict. */
export type Decide = (records: readonly SessionRecord[]) => readonly SessionRecord[];

/** Starts a journal; false where there is one of this name. */
export function createJournal(folder: string, first: SessionRecord): boolean {
  mkdirSync(folder, { recursive: true });
  let file: number;
  try {
    file = openSync(join(folder, JOURNAL), 'wx');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
  try {
    writeAll(file, `${JSON.stringify(first)}\n`, 0);
  } finally {
    closeSync(file);
  }
  for (const name of [folder, dirname(folder)]) syncFolder(name);
  return true;
}

/** Adds records and returns all of them. */
export async function appendToJournal(folder: string, decide: Decide): Promise<readonly SessionRecord[]> {
  const lock = await lockSession(folder, 'append', 'writing down what happened', APPEND_WAIT_MS);
  try {
    const { records, bytes } = await readLines(folder);
    const added = decide(records);
    if (added.length === 0) return records;
    const file = openSync(join(folder, JOURNAL), 'r+');
    try {
      // What a kill cut short would otherwise be the beginning of the next line.
      ftruncateSync(file, bytes);
      writeAll(file, added.map((record) => `${JSON.stringify(record)}\n`).join(''), bytes);
    } finally {
      closeSync(file);
    }
    return [...records, ...added];
  } finally {
    await lock.release();
  }
}

/** A last line that was cut short does not count. */
export async function readJournal(folder: string): Promise<readonly SessionRecord[]> {
  return (await readLines(folder)).records;
}

/**
 * One command that measures for a session at a time. Notes are taken meanwhile: they only append. Like the device's
 * lock, whose limits it shares, it is gone with its process.
 */
export function lockSessionWork(folder: string, purpose: string, wait_ms = 0): Promise<DeviceLock> {
  return lockSession(folder, 'work', purpose, wait_ms);
}

async function lockSession(
  folder: string,
  what: 'append' | 'work',
  purpose: string,
  wait_ms: number,
): Promise<DeviceLock> {
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 32);
  try {
    return await lockDevice({ id: `session-${what}-${name}`, purpose, wait_ms });
  } catch (error) {
    if (!(error instanceof PawlError) || error.kind !== 'try-again') throw error;
    const who = /in use by (.*)\.$/.exec(error.message)?.[1] ?? 'another command';
    throw new PawlError(
      'try-again',
      `The session is in use by ${who}.`,
      'One command at a time works on a session: wait for it, or give --wait SECONDS.',
    );
  }
}

interface Lines {
  readonly records: readonly SessionRecord[];
  /** Length of the whole lines. */
  readonly bytes: number;
}

async function readLines(folder: string): Promise<Lines> {
  const path = join(folder, JOURNAL);
  const text = await readFile(path, 'utf8');
  const lines = text.split('\n');
  const torn = lines.pop() ?? '';
  const records = lines.map((line, index) => {
    const record = readRecord(line);
    if (record !== undefined && (record.type === 'started') === (index === 0)) return record;
    throw new PawlError(
      'bad-data',
      `Line ${index + 1} of ${path} is no record of a session.`,
      'Restore the file, or move the folder away and start a new session.',
    );
  });
  return { records, bytes: Buffer.byteLength(text) - Buffer.byteLength(torn) };
}

function readRecord(line: string): SessionRecord | undefined {
  try {
    return sessionRecordSchema.parse(JSON.parse(line));
  } catch {
    return undefined;
  }
}

/** One write may be short where the disk is nearly full; the rest follows or throws. */
function writeAll(file: number, text: string, position: number): void {
  const bytes = Buffer.from(text);
  for (let done = 0; done < bytes.length;) {
    done += writeSync(file, bytes, done, bytes.length - done, position + done);
  }
  fsyncSync(file);
}

/** A new name survives a power cut only when its folder is written, too. */
function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
