/** Without a schema library: the dashboard loads this. */
import type { HistoryKey } from './history.ts';
import type { Note } from './note.ts';

/** Whether a note is on the change of a case at a commit: what it leaves out may be any. */
export function isNoteOn(
  note: Note,
  key: Pick<HistoryKey, 'kernel' | 'case' | 'mode' | 'device'>,
  commit: string | undefined,
): boolean {
  const agrees = (asked: string | undefined, own: string): boolean => asked === undefined || asked === own;
  return (
    commit !== undefined &&
    note.commit === commit &&
    agrees(note.kernel, key.kernel) &&
    agrees(note.case, key.case) &&
    agrees(note.mode, key.mode) &&
    agrees(note.device, key.device)
  );
}
