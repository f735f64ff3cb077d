import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';

import { named } from './named-failure.ts';

/** Writes a file so that others see all of it or nothing, also after a power cut. */
export async function writeDurably(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  const file = await open(temporary, 'wx');
  try {
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    // On a full disk, half a file would take the room that the next attempt needs.
    await rm(temporary, { force: true });
    throw named(error, path);
  }
}

/** Makes what was written to a file or folder survive a power cut. */
export async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
