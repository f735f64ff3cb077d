import type { TrendChange } from '../../../src/model/history/history.ts';
import type { Note } from '../../../src/model/history/note.ts';
import { settingText } from '../../../src/report/text/trend-text.ts';
import { dateText, noChangeText, shortCommit } from '../common/format.ts';
import { adjust } from '../common/router.ts';
import { Change } from './change.tsx';
import { Commit } from './commit.tsx';
import { NoteText } from './notes.tsx';
import { Empty } from './states.tsx';
import { Table } from './table.tsx';

/** Where the level changed, latest first; a button puts both sides of a change beside each other. */
export function ChangesTable({
  changes,
  points,
  notesOf,
}: {
  readonly changes: readonly TrendChange[];
  /** How many the trend has. */
  readonly points: number;
  readonly notesOf: (commit: string) => readonly Note[];
}) {
  if (changes.length === 0) return <Empty title="No change was found.">{noChangeText(points)}</Empty>;
  return (
    <Table
      caption="Changes of the level, latest first"
      rows={changes.toReversed()}
      idOf={({ kind, commit }) => `${kind} ${commit}`}
      columns={[
        {
          name: 'change',
          side: 'left',
          cell: ({ change_pct, ci_pct }) => <Change change_pct={change_pct} ci_pct={ci_pct} />,
        },
        { name: 'kind', side: 'left', cell: ({ kind }) => (kind === 'step' ? 'step at' : 'creep up to') },
        { name: 'commit', side: 'left', cell: ({ commit }) => <Commit sha={commit} /> },
        {
          name: 'before it',
          side: 'left',
          cell: ({ previous_commit }) => <Commit sha={previous_commit} brief />,
        },
        { name: 'with it', side: 'left', cell: (change) => <WithIt change={change} /> },
        ...(changes.some(({ commit }) => notesOf(commit).length > 0)
          ? [
              {
                name: 'notes',
                side: 'left' as const,
                cell: ({ commit }: TrendChange) =>
                  notesOf(commit).map((note) => <NoteText key={note.id} note={note} />),
              },
            ]
          : []),
        { name: 'date', cell: ({ time }) => dateText(time) },
        { name: 'p', spare: true, cell: ({ p }) => (p < 0.001 ? '< 0.001' : p.toFixed(3)) },
        {
          name: 'look',
          cell: ({ commit, previous_commit }) => (
            <span class="picks">
              <button type="button" onClick={() => adjust({ a: previous_commit, b: commit })}>
                compare <span class="hidden">{shortCommit(commit)} with the one before</span>
              </button>{' '}
              <button type="button" onClick={() => adjust({ note: commit })}>
                note <span class="hidden">on {shortCommit(commit)}</span>
              </button>
            </span>
          ),
        },
      ]}
    />
  );
}

/** What else is another on the two sides of a change, and so may be why. */
function WithIt({ change: { settings = [], hosts } }: { readonly change: TrendChange }) {
  const parts = [
    ...settings.map(settingText),
    ...(hosts === undefined ? [] : [`host ${hosts.before} → ${hosts.after}`]),
  ];
  return parts.length === 0 ? <span class="quiet">the commit</span> : <>{parts.join('; ')}</>;
}
