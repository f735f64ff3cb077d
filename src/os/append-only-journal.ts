/**
 * A file to which lines are added, a record each: of a run, a study or a session. A record is on disk before anything
 * is done that depends on it, so whoever is killed loses what was under way and nothing else.
 */
import { closeSync, fsyncSync, ftruncateSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { z } from 'zod';

/** Its name, in a folder of its own. */
export const JOURNAL_FILE = 'journal.jsonl';

export class AppendOnlyJournal {
  readonly #file: number;
  #position: number;

  private constructor(file: number, position: number) {
    this.#file = file;
    this.#position = position;
  }

  /** Throws `EEXIST` where the folder has one. */
  static create(folder: string): AppendOnlyJournal {
    mkdirSync(folder, { recursive: true });
    const journal = new AppendOnlyJournal(openSync(join(folder, JOURNAL_FILE), 'wx'), 0);
    for (const name of [folder, dirname(folder)]) syncFolder(name);
    return journal;
  }

  /** Goes on after the whole lines. */
  static reopen(folder: string, bytes: number): AppendOnlyJournal {
    const file = openSync(join(folder, JOURNAL_FILE), 'r+');
    // What a kill cut short would otherwise be the beginning of the next line.
    ftruncateSync(file, bytes);
    return new AppendOnlyJournal(file, bytes);
  }

  add(...records: readonly object[]): void {
    const bytes = Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
    // One write may be short where the disk is nearly full; the rest follows or throws.
    for (let done = 0; done < bytes.length;) {
      done += writeSync(this.#file, bytes, done, bytes.length - done, this.#position + done);
    }
    this.#position += bytes.length;
    fsyncSync(this.#file);
  }

  close(): void {
    closeSync(this.#file);
  }
}

export interface JournalText<Record> {
  readonly records: readonly Record[];
  /** Length of the whole lines. */
  readonly bytes: number;
}

/**
 * The records of a journal's text. Whatever follows the last line end was cut short and does not count; a whole line
 * that is no record is what `refuse` makes of it.
 */
export function parseJournal<Record>(
  text: string,
  schema: z.ZodType<Record>,
  refuse: (number: number) => Error,
): JournalText<Record> {
  const lines = text.split('\n');
  const torn = lines.pop() ?? '';
  const records = lines.map((line, index) => {
    const record = parseRecord(line, schema);
    if (record === undefined) throw refuse(index + 1);
    return record;
  });
  return { records, bytes: Buffer.byteLength(text) - Buffer.byteLength(torn) };
}

/** Undefined: the line is none, or cut short. */
export function parseRecord<Record>(line: string, schema: z.ZodType<Record>): Record | undefined {
  try {
    return schema.parse(JSON.parse(line));
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
