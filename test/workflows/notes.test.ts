import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { openStore } from '../../src/history/store/open-store.ts';
import { notesSchema } from '../../src/model/history/note.ts';
import { renderNotes } from '../../src/report/terminal/notes-terminal.ts';
import { addNote, listNotes, removeNote } from '../../src/workflows/notes.ts';
import { temporaryFolder } from '../device/temporary-folder.ts';
import { commitOf, shaOf, storedRunOf, timeOf } from '../history/stored-run-of.ts';

describe('notes on changes', () => {
  let store: string;
  const now = () => timeOf(50);

  beforeAll(async () => {
    store = join(await temporaryFolder(), 'history.db');
    const history = await openStore(store);
    await history.put(storedRunOf({ at: 7 }), { commits: [commitOf(7)] });
    await history.close();
  });

  it('are put on a commit of the history, listed and taken off', async () => {
    const said = { store, now, commit: shaOf(7), text: 'Known \u001B[31mred', author: 'Ada' };
    const note = await addNote({ ...said, kernel: 'attention', link: 'https://example.org/12' });
    const notes = await listNotes({ store, filter: { commit: shaOf(7) } });
    expect(notesSchema.parse(notes).notes).toEqual([note]);
    const text = renderNotes(notes);
    expect(text).toContain('attention  2026-01-03 by Ada');
    expect(text).toContain('https://example.org/12');
    expect(text).not.toContain('\u001B');
    await removeNote({ store, now, id: note.id.slice(0, 8) });
    expect((await listNotes({ store, filter: {} })).notes).toEqual([]);
    await expect(removeNote({ store, now, id: note.id })).rejects.toThrow(/No note/u);
  });

  it.each([
    [{ commit: 'absent' }, /commit or branch "absent"/u],
    [{ kernel: 'atention' }, /has no "atention"/u],
    [{ link: 'javascript:alert(1)' }, /address of a web page/u],
    [{ text: ' ' }, /cannot be saved/u],
  ])('that nobody would find, or that lead nowhere, are refused: %j', async (wrong, message) => {
    const asked = { store, now, commit: shaOf(7), text: 'Known', author: 'Ada', ...wrong };
    await expect(addNote(asked)).rejects.toThrow(message);
  });
});
