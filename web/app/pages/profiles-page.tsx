import { PROFILE_ANY } from '../common/commands.ts';
import { shortCommit, timeOfDay } from '../common/format.ts';
import { FilterBox, matches } from '../parts/filter-box.tsx';
import { Empty, Shown } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { hrefOf, type Place } from '../common/router.ts';
import type { Page, ProfileSummary } from '../source/shapes.ts';
import { useAnswer } from '../source/use-answer.ts';

export function ProfilesPage({ query: { q } }: { readonly query: Place['query'] }) {
  const loaded = useAnswer<Page<ProfileSummary>>('profiles?limit=200');
  return (
    <>
      <h1>Profiles</h1>
      <Shown loaded={loaded}>
        {({ items }) => {
          if (items.length === 0)
            return (
              <Empty title="Nothing was profiled yet." command={PROFILE_ANY}>
                A profile says what limits a kernel and what to fix first; with --base it says what a change
                did.
              </Empty>
            );
          const shown = items.filter(({ kernel, case: name, mode, commit, summary }) =>
            matches(q, [kernel, name, mode, commit, summary]),
          );
          return (
            <>
              <div class="tools-line">
                <FilterBox value={q} label="Filter profiles" />
              </div>
              {shown.length === 0 ? <Empty title="No profile matches." /> : <List profiles={shown} />}
            </>
          );
        }}
      </Shown>
    </>
  );
}

function List({ profiles }: { readonly profiles: readonly ProfileSummary[] }) {
  return (
    <Table
      caption="Profiles, latest first"
      rows={profiles}
      idOf={({ id }) => id}
      columns={[
        {
          name: 'case',
          side: 'left',
          cell: ({ id, kernel, case: name }) => (
            <a href={hrefOf(['profile', id])}>
              {kernel} / <b>{name}</b>
            </a>
          ),
        },
        { name: 'time (UTC)', side: 'left', cell: ({ time }) => timeOfDay(time) },
        {
          name: 'commit',
          side: 'left',
          cell: ({ commit }) => (commit === undefined ? '–' : <code>{shortCommit(commit)}</code>),
        },
        {
          name: 'what it says',
          side: 'left',
          cell: ({ summary }) => <span class="wrap">{summary ?? '–'}</span>,
        },
      ]}
    />
  );
}
