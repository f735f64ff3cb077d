import { join } from 'node:path';

import {
  AppendOnlyJournal,
  JOURNAL_FILE,
  readJournal as readRecords,
  type JournalKind,
  type JournalText,
} from '../../os/append-only-journal.ts';
import { studyRecordSchema, type StudyRecord, type UntimedRecord } from '../../model/tune/study-record.ts';
import type { StudyClock } from './study-clock.ts';

const KIND: JournalKind<StudyRecord> = {
  schema: studyRecordSchema,
  of: 'a study',
  hint: 'Restore the file, or start a new study.',
};

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
    return new StudyJournal(folder, clock, AppendOnlyJournal.create(join(folder, JOURNAL_FILE)));
  }

  /** Goes on after the records that `readJournal` gave. */
  static reopen(folder: string, clock: StudyClock, bytes: number): StudyJournal {
    return new StudyJournal(folder, clock, AppendOnlyJournal.open(join(folder, JOURNAL_FILE), { bytes }));
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
  return readRecords(join(folder, JOURNAL_FILE), KIND);
}
