import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { expect, it } from 'vitest';

import { hashFile, hashText } from '../../src/os/file-hasher.ts';
import { temporaryFolder } from '../device/temporary-folder.ts';

/** Longer than a file has to lie still before its hash is remembered. */
const SETTLED_MS = 2200;

it('sees a new content of the same length at once', async () => {
  const path = join(await temporaryFolder(), 'file');
  for (const text of ['one', 'two', 'six']) {
    await writeFile(path, text);
    expect(await hashFile(path)).toBe(hashText(text));
  }
});

it('sees it also where the hash was remembered, and the file claims its old time', async () => {
  const path = join(await temporaryFolder(), 'file');
  // Whole seconds, which every file system keeps as they are.
  const then = new Date('2020-01-01T00:00:00Z');
  await writeFile(path, 'one');
  await utimes(path, then, then);
  await sleep(SETTLED_MS);
  expect([await hashFile(path), await hashFile(path)]).toEqual([hashText('one'), hashText('one')]);
  await writeFile(path, 'two');
  await utimes(path, then, then);
  expect(await hashFile(path)).toBe(hashText('two'));
});

it('has no hash of what is not a file', async () => {
  const folder = await temporaryFolder();
  expect([await hashFile(folder), await hashFile(join(folder, 'absent'))]).toEqual([undefined, undefined]);
});
