import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename } from 'node:path';

import { PawlError } from '../model/pawl-error.ts';

/**
 * A file that another job handed over, and that kernel code of that job may have written. It is never read through a
 * link, which would lead to a file of the job that reads; a pipe is not waited for.
 *
 * @returns undefined where there is none
 * @throws {PawlError} of kind `bad-data` for anything but a plain file of at most so many bytes
 */
export async function readPlainFile(path: string, most_bytes: number): Promise<Buffer | undefined> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const found = await file.stat();
      if (!found.isFile()) throw refusal(path, 'it is not a file');
      if (found.size > most_bytes) throw refusal(path, 'it is too large');
      return await file.readFile();
    } finally {
      await file.close();
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    if (code === 'ELOOP') throw refusal(path, 'it is a link');
    throw error;
  }
}

function refusal(path: string, why: string): PawlError {
  return new PawlError(
    'bad-data',
    `${basename(path)} is not read: ${why}.`,
    'Run the job that wrote it again, from a clean checkout.',
  );
}
