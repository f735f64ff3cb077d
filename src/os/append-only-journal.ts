/**
 * Files to which lines are added, a record each. A record is on disk before anything is done that depends on it, so
 * a process that is killed loses what was under way and nothing else.
 *
 * Most have one writer at a time, who cuts off what a killed one left unfinished: a whole line that is not a record is
 * then damage, and refused. Others are shared: several processes append without a lock, so nothing is ever cut off;
 * what one left unfinished stays as a line of its own, which readers leave out and report.
 */
import {
  closeSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

import type { z } from 'zod';

import { PawlError } from '../model/pawl-error.ts';
import { named } from './named-failure.ts';

/** Its name, where it has a folder of its own. */
export const JOURNAL_FILE = 'journal.jsonl';

/** The one writer of a journal. */
export class AppendOnlyJournal {
  readonly #path: string;
  readonly #mode: number;
  #file: number;

  private constructor(path: string, mode: number, file: number) {
    this.#path = path;
    this.#mode = mode;
    this.#file = file;
  }

  /** Makes its folder, too. Throws `EEXIST` where there is one. */
  static create(path: string, mode = 0o666): AppendOnlyJournal {
    const folder = dirname(path);
    mkdirSync(folder, { recursive: true });
    const journal = new AppendOnlyJournal(path, mode, openSync(path, 'ax', mode));
    for (const name of [folder, dirname(folder)]) syncFolder(name);
    return journal;
  }

  /** Goes on after the whole lines of what was read, or begins where there was nothing. */
  static open(path: string, read: { readonly bytes: number } | undefined, mode = 0o666): AppendOnlyJournal {
    if (read === undefined) return AppendOnlyJournal.create(path, mode);
    const journal = new AppendOnlyJournal(path, mode, openSync(path, 'a', mode));
    // What a kill cut short would otherwise be the beginning of the next line.
    ftruncateSync(journal.#file, read.bytes);
    return journal;
  }

  /** All of it or nothing: half a line, on a full disk, would spoil the next. */
  add(...records: readonly object[]): void {
    const { size } = fstatSync(this.#file);
    try {
      writeLines(this.#file, records);
    } catch (error) {
      ftruncateSync(this.#file, size);
      throw named(error, this.#path);
    }
  }

  /** Puts one record in the place of all; a kill leaves the one or the others. */
  replaceAll(record: object): void {
    const draft = `${this.#path}.tmp`;
    rmSync(draft, { force: true });
    const file = openSync(draft, 'ax', this.#mode);
    try {
      writeLines(file, [record]);
      renameSync(draft, this.#path);
    } catch (error) {
      closeSync(file);
      rmSync(draft, { force: true });
      throw named(error, this.#path);
    }
    closeSync(this.#file);
    this.#file = file;
    syncFolder(dirname(this.#path));
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** Adds to a journal that others may add to at the same time. */
export function appendShared(path: string, records: readonly object[]): void {
  const file = openSync(path, 'a+');
  try {
    const { size } = fstatSync(file);
    const last = Buffer.from('\n');
    if (size > 0) readSync(file, last, 0, 1, size - 1);
    // What a killed process left half written must not swallow the next line.
    writeLines(file, records, last.toString('latin1') === '\n' ? '' : '\n');
    if (size === 0) syncFolder(dirname(path));
  } catch (error) {
    throw named(error, path);
  } finally {
    closeSync(file);
  }
}

/** What the records of a journal are. */
export interface JournalKind<Record> {
  readonly schema: z.ZodType<Record>;
  /** For people: `a study`. */
  readonly of: string;
  /** What to do about a damaged one. */
  readonly hint: string;
}

export interface JournalText<Record> {
  readonly records: readonly Record[];
  /** Length of the whole lines. */
  readonly bytes: number;
}

/**
 * A journal with one writer at a time; undefined where there is none. Whatever follows the last line end was cut short
 * and does not count. @throws {PawlError} where a whole line is not a record
 */
export function readJournal<Record>(
  path: string,
  kind: JournalKind<Record>,
): JournalText<Record> | undefined {
  const content = contentOf(path);
  if (content === undefined) return undefined;
  const bytes = content.lastIndexOf('\n') + 1;
  const lines = content.toString('utf8', 0, bytes).split('\n').slice(0, -1);
  const records = lines.map((line, index) => {
    const record = parseRecord(line, kind.schema);
    if (record === undefined) throw brokenLine(path, index + 1, kind);
    return record;
  });
  return { records, bytes };
}

export function brokenLine(path: string, number: number, { of, hint }: JournalKind<unknown>): PawlError {
  return new PawlError('bad-data', `Line ${number} of ${path} is not a record of ${of}.`, hint);
}

export interface SharedText<Record> {
  readonly records: readonly Record[];
  /** Numbers of the lines that are not records; empty lines say nothing and are none of them. */
  readonly broken: readonly number[];
}

/** A shared journal; undefined where there is none. A last line that only lacks its end counts: people edit some. */
export function readShared<Record>(path: string, schema: z.ZodType<Record>): SharedText<Record> | undefined {
  const content = contentOf(path);
  if (content === undefined) return undefined;
  const records: Record[] = [];
  const broken: number[] = [];
  for (const [index, line] of content.toString('utf8').split('\n').entries()) {
    const record = parseRecord(line, schema);
    if (record !== undefined) records.push(record);
    else if (line.trim() !== '') broken.push(index + 1);
  }
  return { records, broken };
}

/** Undefined: the line is not a record, or cut short. */
export function parseRecord<Record>(line: string, schema: z.ZodType<Record>): Record | undefined {
  try {
    return schema.parse(JSON.parse(line));
  } catch {
    return undefined;
  }
}

function contentOf(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

function writeLines(file: number, records: readonly object[], before = ''): void {
  const bytes = Buffer.from(before + records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  // One write may be short where the disk is nearly full; the rest follows or throws.
  for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done);
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
