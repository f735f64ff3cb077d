import { hash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

import { Semaphore } from './semaphore.ts';

/** Files open at the same time: far below the usual limit of 1,024 descriptors. */
const OPEN_FILES = 32;

/** Content hashes of files, each read once: files are taken to stand still for the life of a hasher. */
export class FileHasher {
  readonly #known = new Map<string, Promise<string | undefined>>();
  readonly #open = new Semaphore(OPEN_FILES);

  /** SHA-256 of a file, or undefined where there is no such file. */
  async hash(path: string): Promise<string | undefined> {
    let answer = this.#known.get(path);
    if (answer === undefined) {
      answer = this.#open.run(() => hashFile(path));
      this.#known.set(path, answer);
    }
    return answer;
  }
}

const NO_FILE = new Set(['ENOENT', 'ENOTDIR', 'EISDIR']);

/**
 * Reading a header at once takes a tenth of the time that handing it to another thread does, and a build has hundreds.
 * A larger file would keep everything else waiting.
 */
const READ_AT_ONCE_BYTES = 1 << 20;

/** Clocks of file systems tick; a file that changed just now may change again without a new time. */
const SETTLED_MS = 2000;

interface Seen {
  /** Everything that changes when the file does. */
  readonly identity: string;
  readonly sha256: string;
}
const seen = new Map<string, Seen>();
const MOST_SEEN = 20_000;

export async function hashFile(path: string): Promise<string | undefined> {
  try {
    const looked_ms = Date.now();
    const { dev, ino, size, mtimeNs, ctimeNs, ctimeMs } = statSync(path, { bigint: true });
    const identity = [dev, ino, size, mtimeNs, ctimeNs].join(' ');
    const known = seen.get(path);
    if (known?.identity === identity) return known.sha256;
    const bytes = size <= READ_AT_ONCE_BYTES ? readFileSync(path) : await readFile(path);
    const sha256 = hash('sha256', bytes);
    if (looked_ms - Number(ctimeMs) > SETTLED_MS) {
      if (seen.size >= MOST_SEEN) seen.clear();
      seen.set(path, { identity, sha256 });
    }
    return sha256;
  } catch (error) {
    if (NO_FILE.has((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

export function hashText(text: string): string {
  return hash('sha256', text);
}
