import { appendFile, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';

import {
  AppendOnlyJournal,
  appendShared,
  readJournal,
  readShared,
  type JournalKind,
} from '../../src/os/append-only-journal.ts';

const schema = z.object({ text: z.string() });
const kind: JournalKind<z.infer<typeof schema>> = { schema, of: 'a test', hint: 'Restore it.' };
const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pawl-journal-'));
  folders.push(folder);
  return folder;
}

const textsIn = (path: string) => readJournal(path, kind)?.records.map(({ text }) => text);

describe('a journal with one writer at a time', () => {
  it('goes on after the whole lines, whatever a kill left behind them', async () => {
    const path = join(await newFolder(), 'own', 'journal.jsonl');
    const journal = AppendOnlyJournal.create(path);
    journal.add({ text: 'größer' }, { text: '2 ×' });
    journal.close();
    await appendFile(path, '{"text":"cut sh');
    const read = readJournal(path, kind);
    expect(read?.records).toEqual([{ text: 'größer' }, { text: '2 ×' }]);
    const again = AppendOnlyJournal.open(path, read);
    again.add({ text: 'next' });
    again.add({ text: 'last' });
    again.close();
    expect(textsIn(path)).toEqual(['größer', '2 ×', 'next', 'last']);
  });

  it.skipIf(process.platform !== 'linux')('names itself where the disk is full', async () => {
    const path = join(await newFolder(), 'journal.jsonl');
    await symlink('/dev/full', path);
    expect(() => appendShared(path, [{ text: 'x' }])).toThrow(
      expect.objectContaining({ code: 'ENOSPC', path }),
    );
  });

  it('gives back the whole lines, wherever in its bytes it was cut', async () => {
    const path = join(await newFolder(), 'journal.jsonl');
    const lines = ['{"text":"größer"}\n', '{"text":"×"}\n'].map((line) => Buffer.from(line));
    const whole = Buffer.concat(lines);
    for (let length = 0; length <= whole.length; length++) {
      await writeFile(path, whole.subarray(0, length));
      const ended = length === whole.length ? 2 : Number(length >= lines[0]!.length);
      const read = readJournal(path, kind);
      expect(read?.records).toHaveLength(ended);
      const journal = AppendOnlyJournal.open(path, read);
      journal.add({ text: 'next' });
      journal.close();
      expect(textsIn(path)).toEqual([...['größer', '×'].slice(0, ended), 'next']);
    }
  });

  it('is begun once', async () => {
    const path = join(await newFolder(), 'journal.jsonl');
    expect(readJournal(path, kind)).toBeUndefined();
    AppendOnlyJournal.create(path).close();
    expect(readJournal(path, kind)).toEqual({ records: [], bytes: 0 });
    expect(() => AppendOnlyJournal.create(path)).toThrow(expect.objectContaining({ code: 'EEXIST' }));
  });

  it('names the whole line that is not a record', async () => {
    const path = join(await newFolder(), 'journal.jsonl');
    for (const text of ['{"text":"a"}\n{"txet":"b"}\n{"text":"c"}\n', '{"text":"a"}\n\n']) {
      await writeFile(path, text);
      expect(() => readJournal(path, kind)).toThrow(
        expect.objectContaining({
          kind: 'bad-data',
          message: `Line 2 of ${path} is not a record of a test.`,
        }),
      );
    }
  });

  it('goes on after its records were replaced by one, and stays as private as it was', async () => {
    const path = join(await newFolder(), 'journal.jsonl');
    const journal = AppendOnlyJournal.create(path, 0o600);
    journal.add({ text: 'a' }, { text: 'b' });
    journal.replaceAll({ text: 'a and b' });
    journal.add({ text: 'c' });
    journal.close();
    expect(textsIn(path)).toEqual(['a and b', 'c']);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });
});

describe('a journal that several processes append to', () => {
  it('loses the line that a kill cut short, says which, and loses no other', async () => {
    const path = join(await newFolder(), 'shared.jsonl');
    expect(readShared(path, schema)).toBeUndefined();
    appendShared(path, [{ text: 'a' }, { text: 'b' }]);
    await appendFile(path, '{"text":"cut sh');
    expect(readShared(path, schema)).toEqual({ records: [{ text: 'a' }, { text: 'b' }], broken: [3] });
    appendShared(path, [{ text: 'c' }]);
    expect(readShared(path, schema)).toEqual({
      records: [{ text: 'a' }, { text: 'b' }, { text: 'c' }],
      broken: [3],
    });
  });

  it('counts a last line that lacks its end only, and does not run into it', async () => {
    const path = join(await newFolder(), 'shared.jsonl');
    await writeFile(path, '{"text":"a"}\n\n{"text":"by hand"}');
    expect(readShared(path, schema)?.records).toHaveLength(2);
    appendShared(path, [{ text: 'c' }]);
    expect(await readFile(path, 'utf8')).toBe('{"text":"a"}\n\n{"text":"by hand"}\n{"text":"c"}\n');
    expect(readShared(path, schema)?.broken).toEqual([]);
  });
});
