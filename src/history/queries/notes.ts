import { defined } from '../../model/defined.ts';
import type { KeptNote, NewNote, Note } from '../../model/history/note.ts';
import type { Db, Tables } from '../database.ts';
import { shortHash } from '../history-key.ts';
import type { NoteFilter } from '../history.ts';
import { iso } from './rows.ts';

/** The same words twice at the same moment are one note. */
export function noteOf(note: NewNote, now: Date): Note {
  const created_at = now.toISOString();
  return { ...note, id: shortHash({ ...note, created_at }), created_at };
}

/** False: it was there. That it was removed, here or elsewhere, holds for good. */
export async function putNote(db: Db, note: KeptNote): Promise<boolean> {
  const removed_ms = note.removed_at === undefined ? null : Date.parse(note.removed_at);
  const known = await db
    .selectFrom('notes')
    .select('removed_ms')
    .where('id', '=', note.id)
    .executeTakeFirst();
  if (known !== undefined) {
    if (known.removed_ms !== null || removed_ms === null) return false;
    await db.updateTable('notes').set({ removed_ms }).where('id', '=', note.id).execute();
    return true;
  }
  const { kernel = null, case: case_name = null, mode = null, device = null } = note;
  await db
    .insertInto('notes')
    .values({
      id: note.id,
      commit_sha: note.commit,
      kernel,
      case_name,
      mode,
      device,
      text: note.text,
      link: note.link ?? null,
      author: note.author ?? null,
      created_ms: Date.parse(note.created_at),
      removed_ms,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  return true;
}

/** False: there is none with this id, or it was removed before. */
export async function removeNote(db: Db, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('notes')
    .set({ removed_ms: now.getTime() })
    .where('id', '=', id)
    .where('removed_ms', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Newest first. A filter lets notes pass that leave the asked part out: they are on it, too. */
export async function findNotes(db: Db, filter: NoteFilter): Promise<Note[]> {
  const all = await keptNotes(db, filter.commit);
  const agrees = (own: string | undefined, asked: string | undefined): boolean =>
    own === undefined || asked === undefined || own === asked;
  return all
    .filter(
      (note) =>
        note.removed_at === undefined &&
        agrees(note.kernel, filter.kernel) &&
        agrees(note.case, filter.case) &&
        agrees(note.mode, filter.mode) &&
        agrees(note.device, filter.device),
    )
    .toReversed();
}

/** Removed ones among them, oldest first. */
export async function keptNotes(db: Db, commit?: string): Promise<KeptNote[]> {
  const rows = await db
    .selectFrom('notes')
    .selectAll()
    .$if(commit !== undefined, (query) =>
      // `g` is after every digit of a hash.
      query.where('commit_sha', '>=', commit!).where('commit_sha', '<', `${commit!}g`),
    )
    .orderBy('created_ms')
    .orderBy('id')
    .execute();
  return rows.map(noteOfRow);
}

function noteOfRow(row: Tables['notes']): KeptNote {
  const { kernel, case_name, mode, device, link, author, created_ms, removed_ms } = row;
  return {
    id: row.id,
    commit: row.commit_sha,
    ...defined({ kernel, case: case_name, mode, device }),
    text: row.text,
    ...defined({ link, author }),
    created_at: iso(created_ms),
    ...(removed_ms === null ? {} : { removed_at: iso(removed_ms) }),
  };
}
