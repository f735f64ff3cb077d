import { TUNE_ANY } from '../common/commands.ts';
import { countText, timeOfDay, timeText } from '../common/format.ts';
import { FilterBox, matches } from '../parts/filter-box.tsx';
import { Empty, Shown } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { hrefOf, type Place } from '../common/router.ts';
import type { Page, StudySummary } from '../source/shapes.ts';
import { useAnswer } from '../source/use-answer.ts';

export function StudiesPage({ query: { q } }: { readonly query: Place['query'] }) {
  const loaded = useAnswer<Page<StudySummary>>('studies?limit=200');
  return (
    <>
      <h1>Studies</h1>
      <Shown loaded={loaded}>
        {({ items }) => {
          if (items.length === 0)
            return (
              <Empty title="No study was recorded." command={TUNE_ANY}>
                A study searches a kernel's tunables for the fastest variant that is right, and confirms it
                against the default.
              </Empty>
            );
          const shown = items.filter(({ id, kernel }) => matches(q, [id, kernel]));
          return (
            <>
              <div class="tools-line">
                <FilterBox value={q} label="Filter studies" />
              </div>
              {shown.length === 0 ? <Empty title="No study matches." /> : <List studies={shown} />}
            </>
          );
        }}
      </Shown>
    </>
  );
}

function List({ studies }: { readonly studies: readonly StudySummary[] }) {
  return (
    <Table
      caption="Studies, latest first"
      rows={studies}
      idOf={({ id }) => id}
      columns={[
        {
          name: 'kernel',
          side: 'left',
          cell: ({ id, kernel }) => (
            <a href={hrefOf(['study', id])}>
              <b>{kernel}</b>
            </a>
          ),
        },
        { name: 'started (UTC)', side: 'left', cell: ({ started_at }) => timeOfDay(started_at) },
        {
          name: 'state',
          side: 'left',
          cell: ({ finished_at }) => (finished_at === undefined ? 'under way' : 'finished'),
        },
        {
          name: 'trials',
          cell: ({ trials, measured }) => `${countText(trials, 'trial')}, ${measured} measured`,
        },
        { name: 'best', cell: ({ best_ms }) => (best_ms === undefined ? '–' : timeText(best_ms)) },
      ]}
    />
  );
}
