import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import {
  AppendOnlyJournal,
  JOURNAL_FILE,
  parseJournal,
  type JournalText,
} from '../../os/append-only-journal.ts';
import { PawlError } from '../../model/pawl-error.ts';
import { studyRecordSchema, type StudyRecord, type UntimedRecord } from '../../model/study-record.ts';
import type { StudyClock } from './study-clock.ts';

/** The journal of a study, whose records have the time of its clock. */
export class StudyJournal {
  readonly folder: string;
  readonly #clock: StudyClock;
  readonly #journal: AppendOnlyJournal;

  private constructor(folder: string, clock: StudyClock, journal: AppendOnlyJournal) {
    this.folder = folder;
    this.#clock = clock;
    this.#journal = journal;
  }

  static create(folder: string, clock: StudyClock): StudyJournal {
    return new StudyJournal(folder, clock, AppendOnlyJournal.create(folder));
  }

  /** Goes on after the records that `readJournal` gave. */
  static reopen(folder: string, clock: StudyClock, bytes: number): StudyJournal {
    return new StudyJournal(folder, clock, AppendOnlyJournal.reopen(folder, bytes));
  }

  add(record: UntimedRecord): StudyRecord {
    const timed: StudyRecord = { ...record, at_s: this.#clock.elapsed_s };
    this.#journal.add(timed);
    return timed;
  }

  close(): void {
    this.#journal.close();
  }
}

/** The records of a journal; undefined where there is none. */
export async function readJournal(folder: string): Promise<JournalText<StudyRecord> | undefined> {
  const path = join(folder, JOURNAL_FILE);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  return parseJournal(
    text,
    studyRecordSchema,
    (number) =>
      new PawlError(
        'bad-data',
        `Line ${number} of ${path} is no record of a study.`,
        'Restore the file, or start a new study.',
      ),
  );
}
