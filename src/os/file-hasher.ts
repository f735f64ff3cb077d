import { createHash } from 'node:crypto';
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

export async function hashFile(path: string): Promise<string | undefined> {
  try {
    return createHash('sha256')
      .update(await readFile(path))
      .digest('hex');
  } catch (error) {
    if (NO_FILE.has((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

export function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
