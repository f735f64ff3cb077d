import type { ComponentChildren } from 'preact';

import { confirmedBest } from '../../../src/model/judge/confirmed-best.ts';
import { defined } from '../../../src/model/defined.ts';
import { measuredTrials } from '../../../src/model/tune/measured-trials.ts';
import type { Variant } from '../../../src/model/problem/variant.ts';
import { bestSoFarPlot } from '../../../src/report/svg/best-so-far-plot.tsx';
import { speedupText, timeOfDay, timeText } from '../common/format.ts';
import { hrefOf } from '../common/router.ts';
import type { Page, StoredStudy, StudyDocument, StudySummary } from '../source/shapes.ts';
import { useAnswer } from '../source/use-answer.ts';
import { Choice } from './choice.tsx';
import { Drawn } from './drawn.tsx';
import { Shown } from './states.tsx';
import { Table } from './table.tsx';

/** A study beside another one, chosen in the address under `with`; those of the same kernel come first. */
export function StudyBeside({
  study,
  beside,
}: {
  readonly study: StoredStudy;
  readonly beside: string | undefined;
}) {
  const loaded = useAnswer<Page<StudySummary>>('studies?limit=200');
  return (
    <>
      <h2>Compared with another study</h2>
      <Shown loaded={loaded}>
        {({ items }) => {
          const others = items.filter(({ id }) => id !== study.id);
          if (others.length === 0) return <p class="quiet">No other study was recorded.</p>;
          const isNear = ({ kernel }: StudySummary): number => Number(kernel !== study.kernel);
          const sorted = others.toSorted((one, other) => isNear(one) - isNear(other));
          return (
            <>
              <div class="tools-line">
                <Choice
                  label="Other study"
                  name="with"
                  value={beside}
                  options={[['', 'none'], ...sorted.map((one) => [one.id, nameOf(one)] as const)]}
                />
              </div>
              {beside === undefined ? null : <Beside study={study} id={beside} />}
            </>
          );
        }}
      </Shown>
    </>
  );
}

function nameOf({ kernel, case: name, device, started_at }: StudySummary): string {
  return [
    `${kernel}${name === undefined ? '' : ` / ${name}`}`,
    ...(device === undefined ? [] : [device]),
    timeOfDay(started_at),
  ].join(', ');
}

function Beside({ study, id }: { readonly study: StoredStudy; readonly id: string }) {
  const loaded = useAnswer<StoredStudy>(`studies/${encodeURIComponent(id)}`);
  return <Shown loaded={loaded}>{(other) => <Both one={read(study)} other={read(other)} />}</Shown>;
}

/** What is compared of a study. */
interface Read {
  readonly study: StoredStudy;
  readonly document: StudyDocument;
  readonly default_ms: number | undefined;
  readonly confirmed: ReturnType<typeof confirmedBest<NonNullable<StudyDocument['confirmations']>[number]>>;
  /** Of the confirmed variant. */
  readonly variant: Variant | undefined;
}

function read(study: StoredStudy): Read {
  const document = (study.document ?? {}) as StudyDocument;
  const start = measuredTrials(study.trials_list).find(({ trial }) => trial.phase === 'default');
  const confirmed = confirmedBest(document);
  return {
    study,
    document,
    default_ms: document.default_ms ?? start?.outcome.time_ms,
    confirmed,
    variant: study.trials_list.find(({ number }) => number === confirmed?.trial)?.variant,
  };
}

interface Row {
  readonly name: string;
  readonly cells: readonly [ComponentChildren, ComponentChildren];
}

function Both({ one, other }: { readonly one: Read; readonly other: Read }) {
  const both = [one, other] as const;
  const row = (name: string, cell: (read: Read) => ComponentChildren): Row => ({
    name,
    cells: [cell(one), cell(other)],
  });
  const tunables = new Set(both.flatMap(({ variant = {} }) => Object.keys(variant)));
  const rows = [
    row('case', ({ document }) => document.case ?? '–'),
    row('device', ({ document }) => document.device?.name ?? '–'),
    row('result', ({ document, study }) => document.result ?? (study.finished_at ? 'finished' : 'under way')),
    row('confirmed speed-up', ({ confirmed }) => <b>{confirmedText(confirmed)}</b>),
    row('default', ({ default_ms }) => (default_ms === undefined ? '–' : timeText(default_ms))),
    row('trials', ({ study }) => `${study.trials}, ${study.measured} measured`),
    ...[...tunables].map((name) =>
      row(`confirmed ${name}`, ({ variant }) => (variant === undefined ? '–' : String(variant[name] ?? '–'))),
    ),
  ];
  return (
    <>
      <Table
        caption="Two studies"
        rows={rows}
        idOf={({ name }) => name}
        columns={[
          { name: 'what', side: 'left', cell: ({ name }) => name },
          { name: 'this study', cell: ({ cells }) => cells[0] },
          { name: 'other study', cell: ({ cells }) => cells[1] },
        ]}
      />
      <figure class="panel">
        <figcaption>
          <span>The search of the other study</span>
          <a href={hrefOf(['study', other.study.id], { with: one.study.id })}>
            open it, with this one beside
          </a>
        </figcaption>
        <Drawn
          name="The search of the other study"
          figure={bestSoFarPlot({
            trials: other.study.trials_list,
            confirmed: other.confirmed,
            ...defined({ default_ms: other.default_ms }),
          })}
          otherwise="No trial was measured yet."
        />
      </figure>
    </>
  );
}

function confirmedText(confirmed: Read['confirmed']): string {
  if (confirmed?.speedup === undefined) return 'nothing';
  const ends = confirmed.speedup_ci?.map(speedupText).join(' … ');
  return `${speedupText(confirmed.speedup)}${ends === undefined ? '' : ` (${ends})`}`;
}
