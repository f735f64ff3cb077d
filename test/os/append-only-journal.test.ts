import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, expect, it } from 'vitest';
import { z } from 'zod';

import { AppendOnlyJournal, JOURNAL_FILE, parseJournal } from '../../src/os/append-only-journal.ts';

const schema = z.object({ text: z.string() });
const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pawl-journal-'));
  folders.push(folder);
  return join(folder, 'own');
}

const refuse = (number: number) => new Error(`line ${number}`);
const textOf = (folder: string) => readFile(join(folder, JOURNAL_FILE), 'utf8');

it('goes on after the whole lines, whatever a kill left behind them', async () => {
  const folder = await newFolder();
  const journal = AppendOnlyJournal.create(folder);
  journal.add({ text: 'größer' }, { text: '2 ×' });
  journal.close();
  await appendFile(join(folder, JOURNAL_FILE), '{"text":"cut sh');
  const { records, bytes } = parseJournal(await textOf(folder), schema, refuse);
  expect(records).toEqual([{ text: 'größer' }, { text: '2 ×' }]);
  const again = AppendOnlyJournal.reopen(folder, bytes);
  again.add({ text: 'next' });
  again.add({ text: 'last' });
  again.close();
  const texts = parseJournal(await textOf(folder), schema, refuse).records.map(({ text }) => text);
  expect(texts).toEqual(['größer', '2 ×', 'next', 'last']);
});

it('is begun once', async () => {
  const folder = await newFolder();
  AppendOnlyJournal.create(folder).close();
  expect(() => AppendOnlyJournal.create(folder)).toThrow(expect.objectContaining({ code: 'EEXIST' }));
});

it('names the whole line that is no record', () => {
  expect(() => parseJournal('{"text":"a"}\n{"txet":"b"}\n{"text":"c"}\n', schema, refuse)).toThrow('line 2');
  expect(() => parseJournal('{"text":"a"}\n\n', schema, refuse)).toThrow('line 2');
});
