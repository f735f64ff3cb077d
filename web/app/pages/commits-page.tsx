import { useMemo } from 'preact/hooks';

import type { HistoryRun } from '../../../src/model/history/history.ts';
import type { FoundSide, SideCase, SidesComparison } from '../../../src/model/history/sides-comparison.ts';
import { VERDICT, VERDICTS_BY_URGENCY } from '../../../src/model/judge/verdict.ts';
import { sidesCounts, sidesHeadline, sideText } from '../../../src/report/text/sides-text.ts';
import { CASE_ORDERS, inGroups, orderCases } from '../common/order-cases.ts';
import { countText } from '../common/format.ts';
import { adjust, type Place } from '../common/router.ts';
import { Choice } from '../parts/choice.tsx';
import { Commit } from '../parts/commit.tsx';
import { CommitsList } from '../parts/commits-list.tsx';
import { FilterBox, matches } from '../parts/filter-box.tsx';
import { NotesSection } from '../parts/notes.tsx';
import { SideForm } from '../parts/side-form.tsx';
import { SidesPlot } from '../parts/sides-plot.tsx';
import { SidesTable } from '../parts/sides-table.tsx';
import { Empty, Shown } from '../parts/states.tsx';
import type { Page } from '../source/shapes.ts';
import { useNotes } from '../source/use-notes.ts';
import { useAnswer } from '../source/use-answer.ts';

type Query = Place['query'];

const ASKED = ['a', 'a_device', 'a_driver', 'b', 'b_device', 'b_driver'] as const;

/** Any two commits, branches, devices or drivers, with every case of both. */
export function CommitsPage({ query }: { readonly query: Query }) {
  const runs = useAnswer<Page<HistoryRun>>('runs?limit=200');
  const asked = new URLSearchParams(
    ASKED.flatMap((name) => (query[name] ? [[name, query[name]]] : [])),
  ).toString();
  const sides = (['a', 'b'] as const).map((side) =>
    [side, `${side}_device`, `${side}_driver`].some((name) => query[name]),
  );
  const isAsked = sides.every(Boolean);
  return (
    <>
      <h1>Commits</h1>
      <SideForm key={asked} query={query} runs={runs.state === 'done' ? runs.answer.items : []} />
      {isAsked ? (
        <Compared asked={asked} query={query} />
      ) : (
        <Shown loaded={runs} height={600}>
          {({ items }) => <CommitsList runs={items} query={query} />}
        </Shown>
      )}
    </>
  );
}

function Compared({ asked, query }: { readonly asked: string; readonly query: Query }) {
  const loaded = useAnswer<SidesComparison>(`sides?${asked}`);
  return (
    <Shown loaded={loaded} height={700}>
      {(found) => <Content found={found} query={query} />}
    </Shown>
  );
}

const UNJUDGED = 'not judged';

function Content({ found, query }: { readonly found: SidesComparison; readonly query: Query }) {
  const { q, kernel, verdict, sort, group } = query;
  const { cases } = found;
  const kernels = useMemo(() => [...new Set(cases.map(({ key }) => key.kernel))].toSorted(), [cases]);
  const isGrouped = group !== 'none' && kernels.length > 1;
  const shown = useMemo(() => {
    const asked = cases.filter(
      (one) =>
        (kernel === undefined || one.key.kernel === kernel) &&
        (verdict === undefined || (one.verdict ?? UNJUDGED) === verdict) &&
        matches(q, [one.key.kernel, one.key.case, one.key.mode, one.key.device_class]),
    );
    const ordered = orderCases(asked, sort);
    return isGrouped ? inGroups(ordered) : ordered;
  }, [cases, q, kernel, verdict, sort, isGrouped]);
  const notes = useNotes(found.b.commit === undefined ? undefined : { commit: found.b.commit });
  if (cases.length === 0)
    return (
      <Empty title="Neither side has a measurement.">Other commits or a longer history may have some.</Empty>
    );
  return (
    <>
      <p class="facts-line sides-line">
        <Side letter="A" side={found.a} />
        <Side letter="B" side={found.b} />
      </p>
      <p class="quiet">
        {sidesCounts(found)}. B is judged against A, positive is faster; every case counts as one of{' '}
        {countText(cases.length, 'case')}.{' '}
        {cases.every(({ together }) => together !== true)
          ? 'The two were not measured side by side, so the machine may have changed between them.'
          : null}
      </p>
      <Verdicts cases={cases} verdict={verdict} />
      <div class="tools-line">
        <FilterBox value={q} label="Filter cases" />
        <Choice
          label="Kernel"
          name="kernel"
          value={kernel}
          options={[['', 'all'], ...kernels.map((name) => [name, name] as const)]}
        />
        <Choice label="Sort" name="sort" value={sort} options={Object.entries(CASE_ORDERS)} />
        <Choice
          label="Group"
          name="group"
          value={group}
          options={[
            ['kernel', 'by kernel'],
            ['none', 'not'],
          ]}
        />
      </div>
      {shown.length === 0 ? (
        <Empty title="No case matches.">Use fewer words.</Empty>
      ) : (
        <>
          <SidesPlot
            found={found}
            cases={shown}
            lines={[sidesHeadline({ ...found, cases: shown }), sidesCounts({ cases: shown })]}
          />
          <SidesTable found={found} cases={shown} sorted={sort ?? 'worst'} isGrouped={isGrouped} />
        </>
      )}
      {found.b.commit === undefined ? null : (
        <NotesSection
          notes={notes.notes}
          commits={[found.b.commit]}
          chosen={query['note']}
          onChange={notes.again}
        />
      )}
    </>
  );
}

function Side({ letter, side }: { readonly letter: 'A' | 'B'; readonly side: FoundSide }) {
  const { commit, ...rest } = side;
  const where = sideText(rest);
  return (
    <span class={`side-${letter.toLowerCase()}`}>
      <b class="letter">{letter}</b> {commit === undefined ? null : <Commit sha={commit} />} {where}{' '}
      <small>{countText(side.cases, 'case')}</small>
    </span>
  );
}

/** How many cases came to what; each shows only those. */
function Verdicts({
  cases,
  verdict: chosen,
}: {
  readonly cases: readonly SideCase[];
  readonly verdict: string | undefined;
}) {
  return (
    <div class="attention" role="group" aria-label="Verdicts">
      {[...VERDICTS_BY_URGENCY, UNJUDGED].map((name) => {
        const count = cases.filter(({ verdict }) => (verdict ?? UNJUDGED) === name).length;
        const tone = name in VERDICT ? VERDICT[name as keyof typeof VERDICT].tone : 'plain';
        return (
          <button
            key={name}
            type="button"
            class={`counter tone-${tone}`}
            aria-pressed={chosen === name}
            disabled={count === 0 && chosen !== name}
            onClick={() => adjust({ verdict: chosen === name ? undefined : name })}
          >
            <b>{count}</b> {name}
          </button>
        );
      })}
    </div>
  );
}
