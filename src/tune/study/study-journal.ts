import { closeSync, fsyncSync, ftruncateSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { PawlError } from '../../model/pawl-error.ts';
import { studyRecordSchema, type StudyRecord, type UntimedRecord } from '../../model/study-record.ts';
import type { StudyClock } from './study-clock.ts';

const JOURNAL = 'journal.jsonl';

/** The journal of a study: every record is on disk before anything is done that depends on it. */
export class StudyJournal {
  readonly folder: string;
  readonly #clock: StudyClock;
  readonly #file: number;

  private constructor(folder: string, clock: StudyClock, flags: 'wx' | 'r+', bytes = 0) {
    this.folder = folder;
    this.#clock = clock;
    this.#file = openSync(join(folder, JOURNAL), flags);
    if (flags === 'r+') {
      // What a kill cut short would otherwise be the beginning of the next line.
      ftruncateSync(this.#file, bytes);
      this.#position = bytes;
    }
  }

  #position = 0;

  static create(folder: string, clock: StudyClock): StudyJournal {
    mkdirSync(folder, { recursive: true });
    const journal = new StudyJournal(folder, clock, 'wx');
    syncFolder(folder);
    syncFolder(dirname(folder));
    return journal;
  }

  /** Goes on after the records that `readJournal` gave. */
  static reopen(folder: string, clock: StudyClock, bytes: number): StudyJournal {
    return new StudyJournal(folder, clock, 'r+', bytes);
  }

  add(record: UntimedRecord): StudyRecord {
    const timed = { ...record, at_s: this.#clock.elapsed_s } as StudyRecord;
    const line = Buffer.from(`${JSON.stringify(timed)}\n`);
    // One write may be short where the disk is nearly full; the rest follows or throws.
    for (let done = 0; done < line.length; ) {
      done += writeSync(this.#file, line, done, line.length - done, this.#position + done);
    }
    this.#position += line.length;
    fsyncSync(this.#file);
    return timed;
  }

  close(): void {
    closeSync(this.#file);
  }
}

export interface JournalText {
  readonly records: readonly StudyRecord[];
  /** Length of the whole lines. */
  readonly bytes: number;
}

/** The records of a journal; undefined where there is none. A last line that was cut short does not count. */
export async function readJournal(folder: string): Promise<JournalText | undefined> {
  const path = join(folder, JOURNAL);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const lines = text.split('\n');
  // Whatever follows the last line end is no line.
  const torn = lines.pop() ?? '';
  const records = lines.map((line, index) => {
    const record = readRecord(line);
    if (record === undefined) {
      throw new PawlError(
        'bad-data',
        `Line ${index + 1} of ${path} is no record of a study.`,
        'Restore the file, or start a new study.',
      );
    }
    return record;
  });
  return { records, bytes: Buffer.byteLength(text) - Buffer.byteLength(torn) };
}

function readRecord(line: string): StudyRecord | undefined {
  try {
    return studyRecordSchema.parse(JSON.parse(line));
  } catch {
    return undefined;
  }
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
