import { resolve } from 'node:path';

import { judgementLineSchema, type JudgementLine } from '../../model/queue/judgement.ts';
import { AppendOnlyJournal, readJournal } from '../../os/append-only-journal.ts';

/** The file that a batch writes its answers to: a batch that was killed goes on with what is missing there. */
export class Answered {
  readonly #journal: AppendOnlyJournal | undefined;
  readonly #known = new Set<string>();

  /** @throws {PawlError} of kind `bad-data` where the file has lines that are not answers */
  constructor(path: string | undefined) {
    if (path === undefined) return;
    const place = resolve(path);
    const read = readJournal(place, {
      schema: judgementLineSchema,
      of: 'answers of `pawl judge --batch`',
      hint: 'Choose another file with --out.',
    });
    for (const line of read?.records ?? []) {
      if (line.schema === 'pawl.judgement/1' && line.id !== undefined) {
        this.#known.add(keyOf(line.id, line.sources_sha256));
      }
    }
    this.#journal = AppendOnlyJournal.open(place, read);
  }

  /** Errors are not answers: they are tried again. */
  has(id: string | undefined, sha256: string): boolean {
    return id !== undefined && this.#known.has(keyOf(id, sha256));
  }

  add(line: JudgementLine): void {
    this.#journal?.add(line);
  }

  close(): void {
    this.#journal?.close();
  }
}

function keyOf(id: string, sha256: string): string {
  return JSON.stringify([id, sha256]);
}
