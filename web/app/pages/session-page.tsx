import { DecisionTree } from '../charts/decision-tree.tsx';
import { SessionTimeline } from '../charts/session-timeline.tsx';
import { TRY_CHANGE } from '../common/commands.ts';
import {
  changeInterval,
  changeText,
  formatDuration,
  minutesText,
  moneyText,
  shortCommit,
  speedupText,
  timeOfDay,
} from '../common/format.ts';
import { Facts } from '../parts/facts.tsx';
import { LessonCard } from '../parts/lesson-card.tsx';
import { PhaseTime } from '../parts/phase-time.tsx';
import { PredictionTable } from '../parts/prediction-table.tsx';
import { eventsOf } from '../common/session-events.ts';
import { phasesOf, type ShownPhase } from '../common/session-gates.ts';
import { workedMinutes } from '../../../src/model/learn/session-progress.ts';
import { SessionHead } from '../parts/session-head.tsx';
import { Empty, Shown } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { TriesTable } from '../parts/tries-table.tsx';
import { adjust, hrefOf, type Place } from '../common/router.ts';
import type { Method, Session } from '../source/shapes.ts';
import { useAnswer } from '../source/use-answer.ts';

export function SessionPage({ id, query }: { readonly id: string; readonly query: Place['query'] }) {
  const loaded = useAnswer<Session>(`sessions/${encodeURIComponent(id)}`);
  const method = useAnswer<Method>('method');
  return (
    <Shown loaded={loaded} height={900} isPage>
      {(session) => (
        <Content
          session={session}
          phases={phasesOf(session, method.state === 'done' ? method.answer : undefined)}
          query={query}
        />
      )}
    </Shown>
  );
}

function Content(props: {
  readonly session: Session;
  readonly phases: readonly ShownPhase[];
  readonly query: Place['query'];
}) {
  const { session, phases, query } = props;
  const { tries, prediction, goal, speedup, outcome } = session;
  return (
    <>
      <SessionHead session={session} />
      <p>
        <a href={hrefOf(['checklist'], { session: session.id })}>Its checklist</a>
      </p>
      <SessionFacts session={session} />
      <h2>Prediction against outcome</h2>
      <PredictionTable
        prediction={prediction}
        goal={goal}
        minutes={outcome?.minutes ?? workedMinutes(session)}
        speedup={outcome?.speedup ?? speedup.best ?? speedup.first}
        isOver={outcome !== undefined}
      />
      <h2>Tries</h2>
      {tries.length === 0 && session.state === 'ended' ? (
        <Empty title="Nothing was tried." />
      ) : tries.length === 0 ? (
        <Empty title="Nothing was tried yet." command={TRY_CHANGE}>
          A try is one change with a hypothesis; it is measured against the state before.
        </Empty>
      ) : (
        <TriesTable tries={tries} opened={query['try']} />
      )}
      <Timeline session={session} />
      <h2>Gates</h2>
      <dl class="facts panel">
        {phases.map(({ id, title, time }) =>
          time === undefined ? null : (
            <div key={id}>
              <dt>{title}</dt>
              <dd>
                <PhaseTime phase={time} />
              </dd>
            </div>
          ),
        )}
      </dl>
      <DecisionTree phases={phases} />
      <Advice session={session} />
      <Learnt session={session} opened={query['lesson']} />
      <Annotations session={session} />
    </>
  );
}

function SessionFacts({ session }: { readonly session: Session }) {
  const { goal, kernel, kind, reference, device, by, started_at, ended_at, cost, speedup } = session;
  const { kernel: other, commit } = reference;
  return (
    <Facts
      facts={[
        ['kernel', kernel === kind ? kernel : `${kernel} (${kind})`],
        ['case', goal.case],
        ['against', other ?? (commit === undefined ? undefined : `commit ${shortCommit(commit)}`)],
        ['device', device],
        ['by', by],
        ['started', timeOfDay(started_at)],
        ['ended', ended_at === undefined ? undefined : timeOfDay(ended_at)],
        ['at first', speedup.first === undefined ? undefined : speedupText(speedup.first)],
        ['at best', speedup.best === undefined ? undefined : speedupText(speedup.best)],
        ['device held', cost.device_s === undefined ? undefined : formatDuration(cost.device_s * 1000)],
        ['cost', cost.money === undefined ? undefined : moneyText(cost.money)],
      ]}
    />
  );
}

function Timeline({ session }: { readonly session: Session }) {
  const events = eventsOf(session);
  const start_ms = Date.parse(session.started_at);
  return (
    <>
      <h2>Timeline</h2>
      <figure class="panel">
        <SessionTimeline events={events} />
      </figure>
      <details>
        <summary>As text</summary>
        <Table
          caption="What happened, in order"
          rows={events}
          idOf={(event) => String(events.indexOf(event))}
          columns={[
            { name: 'after', cell: ({ to_ms }) => minutesText((to_ms - start_ms) / 60_000) },
            {
              name: 'what',
              side: 'left',
              cell: ({ lane }) => lane.replace(/s$/u, '').replace('trie', 'try'),
            },
            { name: 'took', cell: ({ took }) => took },
            { name: 'in words', side: 'left', cell: ({ text }) => <span class="wrap">{text}</span> },
          ]}
        />
      </details>
    </>
  );
}

function Advice({ session: { advice } }: { readonly session: Session }) {
  if (advice === undefined || advice.fixes.length === 0) return null;
  return (
    <>
      <h2>What was advised</h2>
      <Table
        caption="Fixes by expected gain"
        rows={advice.fixes}
        idOf={({ rank, rule }) => `${rank} ${rule}`}
        columns={[
          { name: 'rank', side: 'left', cell: ({ rank }) => rank },
          { name: 'fix', side: 'left', cell: ({ fix }) => <span class="wrap">{fix}</span> },
          {
            name: 'expected',
            cell: ({ expected_gain_pct, ci_pct }) => (
              <span class="stack">
                {changeText(expected_gain_pct)}
                <small>{changeInterval(ci_pct)}</small>
              </span>
            ),
          },
          {
            name: 'why',
            side: 'left',
            cell: ({ explanation }) => <span class="wrap">{explanation}</span>,
          },
        ]}
      />
    </>
  );
}

function Learnt({
  session: { lessons },
  opened,
}: {
  readonly session: Session;
  readonly opened: string | undefined;
}) {
  if (lessons.length === 0) return null;
  return (
    <>
      <h2>Lessons learnt</h2>
      <ul class="lessons">
        {lessons.map((lesson) => (
          <LessonCard
            key={lesson.id}
            lesson={lesson}
            heading="h3"
            isOpen={lesson.id === opened}
            onToggle={() => adjust({ lesson: lesson.id === opened ? undefined : lesson.id })}
          />
        ))}
      </ul>
    </>
  );
}

function Annotations({ session: { notes, annotations } }: { readonly session: Session }) {
  if (notes.length + annotations.length === 0) return null;
  return (
    <>
      <h2>Notes and annotations</h2>
      <ul class="links panel">
        {notes.map(({ at, text, by }, index) => (
          <li key={`note ${index}`}>
            <span class="quiet">
              {timeOfDay(at)} {by ?? ''}
            </span>{' '}
            {text}
          </li>
        ))}
        {annotations.map(({ about, by, at, comment }, index) => (
          <li key={`annotation ${index}`}>
            <span class="quiet">
              {timeOfDay(at)} {by}, on {about}
            </span>{' '}
            {comment}
          </li>
        ))}
      </ul>
    </>
  );
}
