import { TUNE_ANY } from '../common/commands.ts';
import { STUDY_TITLES } from '../../../src/report/text/study-text.ts';
import { countText, speedupText, timeOfDay } from '../common/format.ts';
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
          const shown = items.filter((one) =>
            matches(q, [one.id, one.kernel, one.case ?? '', one.device ?? '', one.result ?? '']),
          );
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
        { name: 'case', side: 'left', cell: (study) => study.case ?? '–' },
        { name: 'device', side: 'left', cell: ({ device }) => device ?? '–' },
        { name: 'result', side: 'left', cell: resultText },
        {
          name: 'confirmed speed-up',
          cell: ({ confirmed }) =>
            confirmed?.speedup === undefined ? '–' : <b>{speedupText(confirmed.speedup)}</b>,
        },
        {
          name: 'trials',
          cell: ({ trials, measured }) => `${countText(trials, 'trial')}, ${measured} measured`,
        },
        { name: 'started (UTC)', side: 'left', spare: true, cell: ({ started_at }) => timeOfDay(started_at) },
      ]}
    />
  );
}

function resultText({ finished_at, result }: StudySummary): string {
  if (result !== undefined && finished_at !== undefined) return STUDY_TITLES[result];
  return finished_at === undefined ? 'under way' : 'finished';
}
