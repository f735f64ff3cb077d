import { useContext, useState } from 'preact/hooks';

import type { Note, Notes } from '../../../src/model/history/note.ts';
import { notedText } from '../../../src/report/terminal/notes-terminal.ts';
import { dateText, shortCommit } from '../common/format.ts';
import { adjust } from '../common/router.ts';
import { Problem } from '../source/source.ts';
import { SourceContext } from '../source/use-answer.ts';
import { Commit } from './commit.tsx';
import { Table } from './table.tsx';

/** What a note is put on here. */
export interface Noted {
  readonly kernel: string;
  readonly case: string;
  readonly mode: string;
  readonly device: string;
}

/** What people said of changes, and a form for more. */
export function NotesSection(props: {
  readonly notes: Notes | undefined;
  /** The commits to choose from, latest first. */
  readonly commits: readonly string[];
  readonly on?: Noted;
  /** The commit that was chosen, as the address has it. */
  readonly chosen: string | undefined;
  readonly onChange: () => void;
}) {
  const { notes, commits, on, chosen, onChange } = props;
  const source = useContext(SourceContext)?.source;
  const rows = notes?.notes ?? [];
  const [trouble, setTrouble] = useState('');
  if (source === undefined || (source.kind === 'file' && rows.length === 0)) return null;
  const remove = async ({ id }: Note): Promise<void> => {
    try {
      await source.send(`notes/${id}/removal`, {}, keptToken());
      onChange();
    } catch (error) {
      setTrouble(troubleText(error));
    }
  };
  return (
    <section aria-label="Notes">
      <h2>Notes</h2>
      {rows.length === 0 ? (
        <p class="quiet">These changes have no notes yet.</p>
      ) : (
        <Table
          caption="Notes, newest first"
          rows={rows}
          idOf={({ id }) => id}
          columns={[
            { name: 'commit', side: 'left', cell: ({ commit }) => <Commit sha={commit} brief /> },
            { name: 'note', side: 'left', cell: (note) => <NoteText note={note} /> },
            {
              name: 'on',
              side: 'left',
              spare: true,
              cell: (note) => <span class="wrap">{notedText(note)}</span>,
            },
            {
              name: 'by',
              side: 'left',
              cell: ({ author, created_at }) => [author, dateText(created_at)].filter(Boolean).join(', '),
            },
            ...(source.kind === 'file'
              ? []
              : [
                  {
                    name: 'take off',
                    cell: (note: Note) => (
                      <button type="button" onClick={() => void remove(note)}>
                        Remove <span class="hidden">the note of {note.created_at}</span>
                      </button>
                    ),
                  },
                ]),
          ]}
        />
      )}
      {trouble === '' ? null : <p role="alert">{trouble}</p>}
      {source.kind === 'file' ? null : (
        <NoteForm key={chosen} commits={commits} on={on} chosen={chosen} onKept={onChange} />
      )}
    </section>
  );
}

export function NoteText({ note: { text, link } }: { readonly note: Note }) {
  return (
    <span class="note-text">
      {text}{' '}
      {link === undefined ? null : (
        <a href={link} rel="noreferrer">
          {link.replace(/^https?:\/\//u, '')}
        </a>
      )}
    </span>
  );
}

function NoteForm(props: {
  readonly commits: readonly string[];
  readonly on: Noted | undefined;
  readonly chosen: string | undefined;
  readonly onKept: () => void;
}) {
  const { commits, on, chosen, onKept } = props;
  const source = useContext(SourceContext)?.source;
  const [needsToken, setNeedsToken] = useState(false);
  const [said, setSaid] = useState('');
  const keep = async (form: HTMLFormElement): Promise<void> => {
    const data = new FormData(form);
    const value = (name: string): string => {
      const entry = data.get(name);
      return typeof entry === 'string' ? entry.trim() : '';
    };
    const note = {
      commit: value('commit'),
      ...(on !== undefined && value('whole') === '' ? on : {}),
      text: value('text'),
      ...(value('link') === '' ? {} : { link: value('link') }),
      ...(value('author') === '' ? {} : { author: value('author') }),
    };
    if (value('token') !== '') keepToken(value('token'));
    try {
      await source?.send('notes', note, keptToken());
      form.reset();
      setSaid('Kept.');
      adjust({ note: undefined });
      onKept();
    } catch (error) {
      setNeedsToken(error instanceof Problem && error.kind === 'needs-token');
      setSaid(troubleText(error));
    }
  };
  return (
    <details class="panel note-form" open={chosen !== undefined}>
      <summary>Add a note to a change</summary>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void keep(event.currentTarget);
        }}
      >
        <label>
          <span>commit</span>
          <select name="commit" defaultValue={chosen ?? commits[0]}>
            {[...new Set([...(chosen === undefined ? [] : [chosen]), ...commits])].map((sha) => (
              <option key={sha} value={sha} selected={sha === chosen}>
                {shortCommit(sha)}
              </option>
            ))}
          </select>
        </label>
        <label class="wide">
          <span>note</span>
          <textarea name="text" required maxLength={4000} rows={2} />
        </label>
        <label>
          <span>link to an issue</span>
          <input name="link" type="url" placeholder="https://" maxLength={2000} />
        </label>
        <label>
          <span>your name</span>
          <input name="author" maxLength={200} autocomplete="name" />
        </label>
        {needsToken ? (
          <label>
            <span>write token</span>
            <input name="token" type="password" autocomplete="off" required />
          </label>
        ) : null}
        {on === undefined ? null : (
          <label class="check">
            <input name="whole" type="checkbox" /> on every case of the commit
          </label>
        )}
        <p class="actions">
          <button type="submit">Save the note</button>{' '}
          <span class="quiet" role="status">
            {said}
          </span>
        </p>
      </form>
    </details>
  );
}

/** As long as this page is open, and nowhere else. */
let token: string | undefined;

function keepToken(given: string): void {
  token = given;
}

function keptToken(): string | undefined {
  return token;
}

function troubleText(error: unknown): string {
  return error instanceof Problem && error.message !== '' ? error.message : 'The server does not answer.';
}
