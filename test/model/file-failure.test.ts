import { mkdtemp, open, readFile, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { makeFolder } from '../../src/os/make-folder.ts';
import { writeDurably } from '../../src/os/write-durably.ts';
import { fileFailure } from '../../src/model/file-failure.ts';

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => fileFailure(error),
  );

describe('what a file system answers', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pawl-files-'));
  const file = join(folder, 'file');
  await writeFile(file, '');

  it('is a sentence about the path that was named, with a remedy', async () => {
    expect(await failureOf(makeFolder(join(file, 'a')))).toMatchObject({
      kind: 'usage',
      message: `${file}/a cannot be written: a file is where a folder should be.`,
      hint: expect.any(String),
    });
    expect(await failureOf(writeDurably(join(folder, 'none/x.html'), ''))).toMatchObject({
      kind: 'usage',
      message: `${folder}/none/x.html cannot be written: there is no such file or folder.`,
    });
    expect(await failureOf(readFile(folder))).toMatchObject({ kind: 'usage' });
    expect(await failureOf(rename(file, folder))).toMatchObject({ kind: 'usage' });
  });

  it.skipIf(process.platform !== 'linux')('is no fault of the caller where the disk is full', async () => {
    const full = await open('/dev/full', 'w');
    expect(await failureOf(full.writeFile('x'))).toMatchObject({ kind: 'unavailable' });
    await full.close();
  });

  it.skipIf(process.platform !== 'linux')('says what to look at where no folder can be made', async () => {
    expect(await failureOf(makeFolder('/proc/pawl/x'))).toMatchObject({
      kind: 'usage',
      message: expect.stringMatching(/^\/proc\/pawl\S* cannot be written: no folder can be made there/u),
    });
  });

  it('is nothing that other errors are', () => {
    expect(fileFailure(new TypeError('x is not a function'))).toBeUndefined();
    expect(fileFailure(Object.assign(new Error('spawn'), { code: 'ENOENT', syscall: 'spawn cc' }))).toBe(
      undefined,
    );
  });
});

describe('makeFolder', () => {
  it('makes what is missing, and takes what is there', async () => {
    const folder = join(await mkdtemp(join(tmpdir(), 'pawl-folder-')), 'a/b/c');
    await Promise.all([makeFolder(folder), makeFolder(folder)]);
    await makeFolder(folder);
    await writeFile(join(folder, 'x'), '');
    await expect(makeFolder(join(folder, 'x'))).rejects.toMatchObject({ code: 'EEXIST' });
  });

  it.skipIf(process.platform !== 'linux')('ends where nothing can be made', async () => {
    await expect(makeFolder('/proc/pawl/x')).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
