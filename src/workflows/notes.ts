import type { History, NoteFilter } from '../history/history.ts';
import { defined } from '../model/defined.ts';
import { newNoteSchema, NOTES_SCHEMA, type NewNote, type Note, type Notes } from '../model/history/note.ts';
import { ownHint, PawlError } from '../model/pawl-error.ts';
import { askGit } from '../os/git/run-git.ts';
import { runContext } from '../os/run-context.ts';
import { openHistory, projectRoot, type HistoryOptions } from './history.ts';

/** The note, and the history that it goes into. */
export interface AddNoteOptions extends HistoryOptions, NewNote {
  readonly now?: () => Date;
}

/**
 * Adds a note to the change at a commit. The commit may be any revision that git knows.
 *
 * @throws {PawlError} of kind `usage` if the commit, kernel or case is unknown, or the text or link is invalid
 */
export function addNote(options: AddNoteOptions): Promise<Note> {
  return using(options, async (history, root) => {
    const { kernel, case: name, mode, device, text, link } = options;
    const commit = await fullCommit(history, root, options.commit);
    const author = options.author ?? (await askGit(root, ['config', '--get', 'user.name']));
    const asked = {
      commit,
      ...defined({ kernel, case: name, mode, device }),
      text,
      ...defined({ link }),
      ...(author ? { author } : {}),
    };
    const parsed = newNoteSchema.safeParse(asked);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      throw new PawlError(
        'usage',
        issue?.path[0] === 'link'
          ? `--link must be the address of a web page, not "${link ?? ''}".`
          : `The note cannot be saved: ${String(issue?.path[0] ?? '')}: ${issue?.message ?? ''}.`,
        'A note has up to 4000 characters; --link takes an http:// or https:// address.',
      );
    }
    await knownKey(history, parsed.data);
    return history.addNote(parsed.data, runContext(options).now());
  });
}

/**
 * Returns the notes that match the filter.
 *
 * @throws {PawlError} of kind `unavailable` if the store does not answer
 */
export function listNotes(options: HistoryOptions & { readonly filter: NoteFilter }): Promise<Notes> {
  return using(options, async (history) => ({
    schema: NOTES_SCHEMA,
    notes: [...(await history.notes(options.filter))],
  }));
}

/**
 * Removes one note, by its id or at least four characters of its beginning.
 *
 * @throws {PawlError} of kind `usage` if no note, or more than one, has that id
 */
export function removeNote(
  options: HistoryOptions & { readonly id: string; readonly now?: () => Date },
): Promise<void> {
  return using(options, async (history) => {
    const alike = (await history.notes()).filter(({ id }) => id.startsWith(options.id));
    const [only] = alike;
    if (only === undefined || alike.length > 1 || options.id.length < 4) {
      throw new PawlError(
        'usage',
        `No note, or more than one, has an id that begins with "${options.id}".`,
        ownHint('`pawl history notes` shows notes and their ids.', 'history notes'),
      );
    }
    await history.removeNote(only.id, runContext(options).now());
  });
}

async function using<Result>(
  options: HistoryOptions,
  action: (history: History, root: string) => Promise<Result>,
): Promise<Result> {
  const history = await openHistory(options);
  try {
    return await action(history, await projectRoot(options));
  } finally {
    await history.close();
  }
}

/** As git or the history knows it: a note on half a hash would never be found. */
async function fullCommit(history: History, root: string, named: string): Promise<string> {
  const asked = named.startsWith('-') ? undefined : `${named}^{commit}`;
  const sha =
    asked === undefined ? undefined : await askGit(root, ['rev-parse', '--verify', '--quiet', asked]);
  if (sha) return sha;
  const { commit } = await history.side({ revision: named });
  if (commit !== undefined) return commit;
  throw new PawlError('usage', `"${named}" is a branch, not a commit.`, 'Give the commit.');
}

/** A misspelt kernel or case would hide the note. */
async function knownKey(history: History, { kernel, case: name, mode, device }: NewNote): Promise<void> {
  if (kernel === undefined && name === undefined && mode === undefined && device === undefined) return;
  const keys = await history.keys(defined({ kernel, case: name, mode }));
  if (keys.some((key) => device === undefined || key.device === device)) return;
  const asked = [kernel, name, mode, device].filter((part) => part !== undefined).join(', ');
  throw new PawlError(
    'usage',
    `The history has no "${asked}".`,
    ownHint('pawl trend shows the kernels, cases and devices that it has.', 'trend'),
  );
}
