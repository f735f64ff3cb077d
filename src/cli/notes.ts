/** `pawl history note` and `pawl history notes`: what people say of changes. */
import type { Command } from 'commander';

import { defined } from '../model/defined.ts';
import { PawlError } from '../model/pawl-error.ts';
import { EXIT } from './exit-codes.ts';
import { runAction } from './run-action.ts';

interface NoteFlags {
  readonly config?: string;
  readonly store?: string;
  readonly json?: boolean;
  readonly kernel?: string;
  readonly case?: string;
  readonly mode?: string;
  readonly device?: string;
  readonly link?: string;
  readonly author?: string;
  readonly remove?: string;
  readonly commit?: string;
}

function onWhat(command: Command): Command {
  return command
    .option('--kernel <kernel>', 'only this kernel (default: every kernel)')
    .option('--case <case>', 'only this case')
    .option('--mode <mode>', 'only this mode')
    .option('--device <name>', 'only this device');
}

export function noteCommand(command: Command): Command {
  return onWhat(
    command
      .description('put a note on the change at a commit, with a link to an issue; it stays with the history')
      .argument('[commit]', 'the commit that made the change, as git names it')
      .argument('[text]', 'the text of the note'),
  )
    .option('--link <address>', 'address of an issue, a pull request or a discussion')
    .option('--author <name>', "the author (default: git's user.name)")
    .option('--remove <id>', 'remove this note instead; the beginning of its id is enough')
    .addHelpText(
      'after',
      `
The dashboard shows it on the page of the trend and on the page Commits. It is stored by commit, kernel, case, mode and
device, and stays when changes are computed again.

Examples:
  pawl history note HEAD "Wider tiles: slower on small shapes, accepted" --link https://github.com/owner/name/issues/12
  pawl history note HEAD "A first look" --kernel attention-cpu --case small_128
`,
    )
    .action((commit: string | undefined, text: string | undefined, flags: NoteFlags) =>
      runAction(flags, async (door) => {
        const workflow = await import('../workflows/notes.ts');
        const { config, store, kernel, case: name, mode, device, link, author, remove } = flags;
        if (remove !== undefined) {
          await workflow.removeNote({ ...defined({ config, store }), id: remove });
          door.print(flags.json === true ? JSON.stringify({ removed: remove }) : 'Note removed.');
          return EXIT.good;
        }
        if (commit === undefined || text === undefined) {
          throw new PawlError(
            'usage',
            'A note needs a commit and a text.',
            'For example: pawl history note HEAD "Wider tiles"',
          );
        }
        const note = await workflow.addNote({
          ...defined({ config, store, kernel, case: name, mode, device, link, author }),
          commit,
          text,
        });
        const { NOTES_SCHEMA } = await import('../model/history/note.ts');
        const { renderNotes } = await import('../report/terminal/notes-terminal.ts');
        const told = renderNotes({ schema: NOTES_SCHEMA, notes: [note] });
        await door.tell(note, () => told);
        return EXIT.good;
      }),
    );
}

export function notesCommand(command: Command): Command {
  return onWhat(command.description('notes on changes, newest first'))
    .option('--commit <sha>', 'only notes on this commit; its beginning is enough')
    .addHelpText(
      'after',
      `
Examples:
  pawl history notes
  pawl history notes --kernel attention-cpu --json
`,
    )
    .action((flags: NoteFlags) =>
      runAction(flags, async (door) => {
        const { listNotes } = await import('../workflows/notes.ts');
        const { config, store, kernel, case: name, mode, device, commit } = flags;
        const notes = await listNotes({
          ...defined({ config, store }),
          filter: defined({ kernel, case: name, mode, device, commit }),
        });
        await door.tell(notes, async () =>
          (await import('../report/terminal/notes-terminal.ts')).renderNotes(notes),
        );
        return EXIT.good;
      }),
    );
}
