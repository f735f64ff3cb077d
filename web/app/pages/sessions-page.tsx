import { useState } from 'preact/hooks';

import { PredictionError } from '../charts/prediction-error.tsx';
import { START_SESSION } from '../common/commands.ts';
import { minutesText, speedupText, timeOfDay } from '../common/format.ts';
import { Choice } from '../parts/choice.tsx';
import { FilterBox, matches } from '../parts/filter-box.tsx';
import { SessionChip } from '../parts/gate-state.tsx';
import { Empty, Shown } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { hrefOf, type Place } from '../common/router.ts';
import type { ListedSession, Page } from '../source/shapes.ts';
import { useAnswer } from '../source/use-answer.ts';

/** One page is years of work. */
const LIMIT = 500;

export function SessionsPage({ query }: { readonly query: Place['query'] }) {
  const [cursor, setCursor] = useState<string>();
  const loaded = useAnswer<Page<ListedSession>>(
    `sessions?limit=${LIMIT}${cursor === undefined ? '' : `&cursor=${cursor}`}`,
  );
  return (
    <>
      <h1>Sessions</h1>
      <Shown loaded={loaded} height={600}>
        {({ items, next }) =>
          items.length === 0 ? (
            <NoSession />
          ) : (
            <>
              <Sessions sessions={items} query={query} />
              {next === undefined ? null : (
                <button type="button" class="more" onClick={() => setCursor(next)}>
                  Older sessions
                </button>
              )}
            </>
          )
        }
      </Shown>
    </>
  );
}

export function NoSession() {
  return (
    <Empty title="No optimisation session was recorded." command={START_SESSION}>
      In a session, a person or an assistant makes a kernel faster step by step: gates, tries with predictions
      and measurements, and lessons.
    </Empty>
  );
}

function Sessions({
  sessions,
  query: { q, state },
}: {
  readonly sessions: readonly ListedSession[];
  readonly query: Place['query'];
}) {
  const shown = sessions.filter(
    (one) =>
      (!state || one.state === state) &&
      matches(q, [one.id, one.title, one.kernel, one.kind, one.device, one.state, one.phase, one.by]),
  );
  return (
    <>
      <div class="tools-line">
        <FilterBox value={q} label="Filter sessions" />
        <Choice
          label="State"
          name="state"
          value={state}
          options={[
            ['', 'all'],
            ['open', 'open'],
            ['stopped', 'stopped'],
            ['ended', 'ended'],
          ]}
        />
        {sessions.some(({ state: each }) => each !== 'ended') ? (
          <a href="#/checklist">Checklist of the open one</a>
        ) : null}
      </div>
      {shown.length === 0 ? <Empty title="No session matches." /> : <List sessions={shown} />}
      <Predictions sessions={shown} />
    </>
  );
}

function List({ sessions }: { readonly sessions: readonly ListedSession[] }) {
  return (
    <Table
      caption="Sessions, latest first"
      rows={sessions}
      idOf={({ id }) => id}
      columns={[
        {
          name: 'session',
          side: 'left',
          cell: ({ id, kernel, title, device }) => (
            <span class="key-name">
              <a href={hrefOf(['session', id])}>
                <b>{kernel}</b> {title}
              </a>
              <small>{device ?? 'device not known'}</small>
            </span>
          ),
        },
        { name: 'started (UTC)', side: 'left', spare: true, cell: ({ started_at }) => timeOfDay(started_at) },
        {
          name: 'state',
          side: 'left',
          cell: ({ state, phase }) => (
            <span class="stack">
              <SessionChip state={state} />
              {state === 'ended' ? null : <small>{phase}</small>}
            </span>
          ),
        },
        { name: 'tries', cell: ({ tries }) => tries },
        { name: 'speed-up', cell: (one) => <Speedup of={one} /> },
        {
          name: 'time',
          cell: ({ minutes, prediction }) => (
            <span class="stack">
              {minutesText(minutes)}
              <small>{`predicted ${minutesText(prediction.minutes)}`}</small>
            </span>
          ),
        },
      ]}
    />
  );
}

function Speedup({ of: { speedup, goal, reached } }: { readonly of: ListedSession }) {
  const tone = reached === undefined ? '' : reached ? 'faster' : 'slower';
  const mark = reached === undefined ? '' : reached ? '✓ ' : '✗ ';
  return (
    <span class="stack">
      <span class={tone}>{speedup === undefined ? '–' : `${mark}${speedupText(speedup)}`}</span>
      <small>{`goal ${speedupText(goal.speedup)}`}</small>
    </span>
  );
}

function Predictions({ sessions }: { readonly sessions: readonly ListedSession[] }) {
  const ended = sessions.filter(({ reached }) => reached !== undefined).toReversed();
  if (ended.length === 0) return null;
  const nameOf = ({ kernel, started_at }: ListedSession): string => `${kernel}, ${timeOfDay(started_at)}`;
  return (
    <>
      <h2>How far predictions were off</h2>
      <div class="two">
        <PredictionError
          title="Time"
          predictions={ended.flatMap((one) =>
            one.minutes > 0
              ? [
                  {
                    id: one.id,
                    name: nameOf(one),
                    factor: one.minutes / one.prediction.minutes,
                    interval: scaled(one.prediction.minutes_ci, one.prediction.minutes),
                  },
                ]
              : [],
          )}
        />
        <PredictionError
          title="Speed-up"
          predictions={ended.flatMap((one) =>
            one.speedup === undefined
              ? []
              : [
                  {
                    id: one.id,
                    name: nameOf(one),
                    factor: one.speedup / one.prediction.speedup,
                    interval: scaled(one.prediction.speedup_ci, one.prediction.speedup),
                  },
                ],
          )}
        />
      </div>
    </>
  );
}

/** An interval may reach down to nothing, which no ratio shows. */
const LEAST = 1e-3;

function scaled([low, high]: readonly [number, number], by: number): [number, number] {
  return [Math.max(LEAST, low / by), Math.max(LEAST, high / by)];
}
