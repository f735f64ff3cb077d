import { closeSync, fsyncSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';

import { flush, writeDurably } from '../os/write-durably.ts';
import { corpusEntrySchema, type CorpusEntry } from '../model/corpus.ts';
import { PawlError } from '../model/pawl-error.ts';

/** Cases that once failed, one JSON object a line. Fixed ones stay: they are the regression tests of a kernel. */
export class Corpus {
  readonly path: string;
  readonly entries: readonly CorpusEntry[];
  /** Numbers of lines that are no entries: a process was killed while it wrote, or another Pawl wrote them. */
  readonly brokenLines: readonly number[];
  readonly #known: Set<string>;

  private constructor(path: string, entries: readonly CorpusEntry[], brokenLines: readonly number[]) {
    this.path = path;
    this.entries = entries;
    this.brokenLines = brokenLines;
    this.#known = new Set(entries.map(keyOf));
  }

  /** A file that is not there is an empty corpus. */
  static async open(path: string): Promise<Corpus> {
    const lines = (await textOf(path)).split('\n');
    const read = lines.map((line) => (line.trim() === '' ? undefined : (readEntry(line) ?? 'broken')));
    const entries = new Map(
      read.flatMap((entry) => (entry === undefined || entry === 'broken' ? [] : [[keyOf(entry), entry]])),
    );
    const broken = read.flatMap((entry, index) => (entry === 'broken' ? [index + 1] : []));
    return new Corpus(path, [...entries.values()], broken);
  }

  /** Appends an entry, on disk when this returns. False where the corpus has it already. */
  async add(entry: CorpusEntry): Promise<boolean> {
    const key = keyOf(entry);
    if (this.#known.has(key)) return false;
    const file = openForAppending(this.path);
    let isNew: boolean;
    try {
      const { size } = fstatSync(file);
      isNew = size === 0;
      // What a killed process left half written must not swallow this line too.
      const start = isNew || endsLine(file, size) ? '' : '\n';
      writeSync(file, `${start}${JSON.stringify(entry)}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    if (isNew) await flush(dirname(this.path));
    this.#known.add(key);
    return true;
  }

  /** Puts a smaller case in the place of an entry that this run added: of two, one is enough to replay. */
  async replace(before: CorpusEntry, after: CorpusEntry): Promise<void> {
    if (keyOf(before) === keyOf(after)) return;
    await this.add(after);
    const removed = JSON.stringify(before);
    const lines = (await textOf(this.path)).split('\n').filter((line) => line !== removed);
    await writeDurably(this.path, lines.join('\n'));
    this.#known.delete(keyOf(before));
  }
}

/** What makes two entries the same: not when, nor from which seed, they were found. */
function keyOf({ kernel, dims, dtype, values, detector, tensor }: CorpusEntry): string {
  const sorted = (record: Readonly<Record<string, unknown>>) =>
    Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([kernel, sorted(dims), dtype ?? '', sorted(values), detector, tensor ?? '']);
}

function readEntry(line: string): CorpusEntry | undefined {
  try {
    return corpusEntrySchema.parse(JSON.parse(line));
  } catch {
    return undefined;
  }
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return '';
    throw unusable(path, code ?? String(error));
  }
}

function openForAppending(path: string): number {
  try {
    return openSync(path, 'a+');
  } catch (error) {
    throw unusable(path, (error as NodeJS.ErrnoException).code ?? String(error));
  }
}

function unusable(path: string, code: string): PawlError {
  const kind = code === 'EACCES' || code === 'EROFS' ? 'permission' : 'unavailable';
  return new PawlError(
    kind,
    `The corpus ${path} cannot be used: ${code}.`,
    'Name another with --corpus FILE, or save nothing with --no-save.',
  );
}

function endsLine(file: number, size: number): boolean {
  const last = Buffer.alloc(1);
  readSync(file, last, 0, 1, size - 1);
  return last.toString() === '\n';
}
