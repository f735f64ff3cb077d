import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { foldSession } from '../../../src/learn/session/fold-session.ts';
import {
  appendToJournal,
  createJournal,
  lockSessionWork,
  readJournal,
} from '../../../src/learn/session/session-journal.ts';
import type { SessionRecord } from '../../../src/model/learn/session-record.ts';
import { temporaryFolder } from '../../device/temporary-folder.ts';
import { at, started } from './session-records.ts';

const note = (text: string): SessionRecord => ({ type: 'noted', at: at(1), text });

async function journal(): Promise<string> {
  const folder = join(await temporaryFolder(), 'session');
  expect(createJournal(folder, started())).toBe(true);
  return folder;
}

describe('the journal of a session', () => {
  it('is not started twice', async () => {
    const folder = await journal();
    expect(createJournal(folder, started())).toBe(false);
    expect(await readJournal(folder)).toEqual([started()]);
  });

  it('drops a last line that a kill cut short, and goes on after the one before', async () => {
    const folder = await journal();
    await appendToJournal(folder, () => [note('one')]);
    await appendFile(join(folder, 'journal.jsonl'), JSON.stringify(note('two')).slice(0, 20));
    expect(await readJournal(folder)).toEqual([started(), note('one')]);
    await appendToJournal(folder, () => [note('three')]);
    expect(await readJournal(folder)).toEqual([started(), note('one'), note('three')]);
  });

  it('refuses a line in the middle that is no record, and says which', async () => {
    const folder = await journal();
    const path = join(folder, 'journal.jsonl');
    await writeFile(path, `${await readFile(path, 'utf8')}{"type":"odd"}\n${JSON.stringify(note('x'))}\n`);
    await expect(readJournal(folder)).rejects.toThrow('Line 2 of');
  });

  it('loses nothing of what many write at once', async () => {
    const folder = await journal();
    const names = Array.from({ length: 20 }, (_, index) => `note ${index}`);
    await Promise.all(names.map((name) => appendToJournal(folder, () => [note(name)])));
    const session = foldSession(await readJournal(folder));
    expect(session.notes.map(({ text }) => text).sort()).toEqual(names.sort());
    expect(session.revision).toBe(21);
  });

  it('lets one command work on a session at a time, and notes be taken meanwhile', async () => {
    const folder = await journal();
    const lock = await lockSessionWork(folder, 'pawl session try');
    await expect(lockSessionWork(folder, 'pawl session check')).rejects.toThrow(
      /The session is in use by process \d+ \(pawl session try\)/,
    );
    await appendToJournal(folder, () => [note('meanwhile')]);
    await lock.release();
    await (await lockSessionWork(folder, 'pawl session check')).release();
  });
});
