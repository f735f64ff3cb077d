import { open } from 'node:fs/promises';

import { z } from 'zod';

import { parseRecord } from '../os/append-only-journal.ts';

/** A watcher takes what it knows of a record. */
const ANY_RECORD = z.unknown();
/** At most this much is read in one look; the rest comes with the next. */
const CHUNK_BYTES = 4 * 2 ** 20;
/** A line longer than this is not one of our records. */
const LONGEST_LINE_BYTES = 32 * 2 ** 20;

/** The lines of a file that grows, each once. */
export class JournalTail {
  readonly path: string;
  #offset = 0;
  #rest: Buffer = Buffer.alloc(0);

  constructor(path: string) {
    this.path = path;
  }

  /** What was added since the last look; `gone` where the file is, `again` where it was rewritten. */
  async read(): Promise<readonly unknown[] | 'gone' | 'again'> {
    const file = await open(this.path, 'r').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
      throw error;
    });
    if (file === undefined) return 'gone';
    try {
      const { size } = await file.stat();
      if (size < this.#offset) return 'again';
      const records: unknown[] = [];
      while (this.#offset < size) {
        const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, size - this.#offset));
        const { bytesRead } = await file.read(chunk, 0, chunk.length, this.#offset);
        if (bytesRead === 0) break;
        this.#offset += bytesRead;
        records.push(...this.#lines(chunk.subarray(0, bytesRead)));
      }
      return records;
    } finally {
      await file.close();
    }
  }

  #lines(chunk: Buffer): unknown[] {
    const bytes = Buffer.concat([this.#rest, chunk]);
    const end = bytes.lastIndexOf(0x0a);
    this.#rest = bytes.subarray(end + 1);
    if (this.#rest.length > LONGEST_LINE_BYTES) this.#rest = Buffer.alloc(0);
    return bytes
      .subarray(0, end + 1)
      .toString('utf8')
      .split('\n')
      .map((line) => parseRecord(line, ANY_RECORD))
      .filter((record) => record !== undefined);
  }
}
