import { DecisionTree } from '../charts/decision-tree.tsx';
import { countText, minutesText, speedupText, timeOfDay } from '../common/format.ts';
import { Choice } from '../parts/choice.tsx';
import { GateList } from '../parts/gate-list.tsx';
import { currentGate, phasesOf } from '../common/session-gates.ts';
import { isGateDone, workedMinutes } from '../../../src/model/learn/session-progress.ts';
import { SessionHead } from '../parts/session-head.tsx';
import { Shown } from '../parts/states.tsx';
import { adjust, hrefOf, type Place } from '../common/router.ts';
import type { ListedSession, Method, Page, Session } from '../source/shapes.ts';
import { useAnswer } from '../source/use-answer.ts';
import { NoSession } from './sessions-page.tsx';

/** The gates of a session as they stand: of the one in the address, else of the latest that is open. */
export function ChecklistPage({ query }: { readonly query: Place['query'] }) {
  const listed = useAnswer<Page<ListedSession>>('sessions?limit=100');
  return (
    <Shown loaded={listed} height={900}>
      {({ items }) => {
        const chosen = query['session'] ?? (items.find(({ state }) => state !== 'ended') ?? items[0])?.id;
        return chosen === undefined ? (
          <>
            <h1>Checklist</h1>
            <NoSession />
          </>
        ) : (
          <OfSession key={chosen} id={chosen} sessions={items} query={query} />
        );
      }}
    </Shown>
  );
}

function OfSession(props: {
  readonly id: string;
  readonly sessions: readonly ListedSession[];
  readonly query: Place['query'];
}) {
  const { id, sessions, query } = props;
  const loaded = useAnswer<Session>(`sessions/${encodeURIComponent(id)}`);
  const method = useAnswer<Method>('method');
  const isListed = sessions.some((one) => one.id === id);
  return (
    <Shown loaded={loaded} height={900} isPage>
      {(session) => (
        <>
          <SessionHead session={session} />
          <div class="tools-line">
            <Choice
              label="Session"
              name="session"
              value={id}
              options={[
                ...(isListed ? [] : [[id, id] as const]),
                ...sessions.map(
                  (one) => [one.id, `${one.kernel}, ${timeOfDay(one.started_at)}, ${one.state}`] as const,
                ),
              ]}
            />
            <Views view={query['view']} />
            <a href={hrefOf(['session', id])}>The whole session</a>
          </div>
          <Standing session={session} />
          <Gates
            session={session}
            method={method.state === 'done' ? method.answer : undefined}
            query={query}
          />
        </>
      )}
    </Shown>
  );
}

function Views({ view }: { readonly view: string | undefined }) {
  return (
    <span class="views" role="group" aria-label="View">
      {[
        ['list', 'List'],
        ['tree', 'Decision tree'],
      ].map(([name, text]) => (
        <button
          key={name}
          type="button"
          aria-pressed={(view ?? 'list') === name}
          onClick={() => adjust({ view: name === 'list' ? undefined : name })}
        >
          {text}
        </button>
      ))}
    </span>
  );
}

/** Told to readers who do not see the page whenever it changes. */
function Standing({ session }: { readonly session: Session }) {
  const { gates, speedup, goal, prediction, tries } = session;
  const best = speedup.best ?? speedup.first;
  return (
    <p class="facts-line" role="status">
      <b>
        {gates.filter(isGateDone).length} of {gates.length}
      </b>{' '}
      gates behind it · <b>{best === undefined ? '–' : speedupText(best)}</b> of {speedupText(goal.speedup)} ·{' '}
      <b>{minutesText(workedMinutes(session))}</b> of {minutesText(prediction.minutes)} predicted ·{' '}
      <b>{countText(tries.length, 'try', 'tries')}</b>
    </p>
  );
}

function Gates(props: {
  readonly session: Session;
  readonly method: Method | undefined;
  readonly query: Place['query'];
}) {
  const { session, method, query } = props;
  const phases = phasesOf(session, method);
  const current = currentGate(session);
  if (query['view'] === 'tree')
    return (
      <>
        <h2 class="hidden">Decision tree</h2>
        <DecisionTree phases={phases} />
      </>
    );
  return <GateList phases={phases} current={current} opened={query['open'] ?? current} />;
}
