import { readFile } from 'node:fs/promises';

import { appendShared, readShared } from '../os/append-only-journal.ts';
import { writeDurably } from '../os/write-durably.ts';
import { corpusEntrySchema, type CorpusEntry } from '../model/problem/corpus.ts';
import { PawlError } from '../model/pawl-error.ts';

/** Cases that once failed, one JSON object a line. Fixed ones stay: they are the regression tests of a kernel. */
export class Corpus {
  readonly path: string;
  readonly entries: readonly CorpusEntry[];
  /** Numbers of lines that are not entries: a process was killed while it wrote, or another Pawl wrote them. */
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
    const { records, broken } = usable(path, () => readShared(path, corpusEntrySchema)) ?? {
      records: [],
      broken: [],
    };
    const entries = new Map(records.map((entry) => [keyOf(entry), entry]));
    return new Corpus(path, [...entries.values()], broken);
  }

  /** Appends an entry, on disk when this returns. False where the corpus has it already. */
  async add(entry: CorpusEntry): Promise<boolean> {
    const key = keyOf(entry);
    if (this.#known.has(key)) return false;
    usable(this.path, () => appendShared(this.path, [entry]));
    this.#known.add(key);
    return true;
  }

  /** Puts a smaller case in the place of an entry that this run added: of two, one is enough to replay. */
  async replace(before: CorpusEntry, after: CorpusEntry): Promise<void> {
    if (keyOf(before) === keyOf(after)) return;
    await this.add(after);
    const removed = JSON.stringify(before);
    const lines = (await readFile(this.path, 'utf8')).split('\n').filter((line) => line !== removed);
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

/** What can be done with the file, or why not. */
function usable<Result>(path: string, action: () => Result): Result {
  try {
    return action();
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new PawlError(
      code === 'EACCES' || code === 'EROFS' ? 'permission' : 'unavailable',
      `The corpus ${path} cannot be used: ${code}.`,
      'Choose another with --corpus FILE, or save nothing with --no-save.',
    );
  }
}
