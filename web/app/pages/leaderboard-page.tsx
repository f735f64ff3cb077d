import { useMemo } from 'preact/hooks';

import type { Leaderboard, QueueStatus, RankedCandidate } from '../../../src/model/queue/queue.ts';
import { TimeChart } from '../charts/time-chart.tsx';
import { SERVE_JUDGE, WORK_ANY } from '../common/commands.ts';
import { countText, timeOfDay } from '../common/format.ts';
import type { Place } from '../common/router.ts';
import { Choice } from '../parts/choice.tsx';
import { FilterBox, matches } from '../parts/filter-box.tsx';
import { Empty, Shown } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { VerdictChip } from '../parts/verdict.tsx';
import type { Page } from '../source/shapes.ts';
import { useAnswer } from '../source/use-answer.ts';

type Problems = Page<QueueStatus['problems'][number]>;
type Query = Place['query'];

/** Candidates of a problem by speed-up. Sources are not here: `GET /api/judge/ID/sources` gives them to their tenant. */
export function LeaderboardPage({ query }: { readonly query: Query }) {
  const loaded = useAnswer<Problems>('../judge/problems');
  const isWithoutQueue = loaded.state === 'failed' && loaded.problem.kind === 'not-found';
  return (
    <>
      <h1>Leaderboard</h1>
      {isWithoutQueue ? (
        <Empty title="This server does not judge candidates." command={SERVE_JUDGE}>
          With a queue, candidates of many people and programs are judged by workers and ranked here.
        </Empty>
      ) : (
        <Shown loaded={loaded}>{({ items }) => <Problem problems={items} query={query} />}</Shown>
      )}
    </>
  );
}

function Problem({ problems, query }: { readonly problems: Problems['items']; readonly query: Query }) {
  const [first] = problems;
  const chosen = problems.find(({ problem }) => problem === query['problem']) ?? first;
  const device = query['device_class'];
  const asked =
    chosen === undefined
      ? undefined
      : `../leaderboard?${new URLSearchParams({
          problem: chosen.problem,
          ...(device === undefined ? {} : { device_class: device }),
        }).toString()}`;
  const loaded = useAnswer<Leaderboard>(asked);
  if (chosen === undefined)
    return (
      <Empty title="No problem is offered." command={WORK_ANY}>
        A worker offers the problems that it judges.
      </Empty>
    );
  return (
    <>
      <div class="tools-line">
        <Choice
          label="Problem"
          name="problem"
          value={chosen.problem}
          options={problems.map(({ problem }) => [problem, problem] as const)}
        />
        {chosen.judges.length < 2 ? null : (
          <Choice
            label="Device"
            name="device_class"
            value={device}
            options={chosen.judges.map(({ device_class }) => [device_class, device_class] as const)}
          />
        )}
        <FilterBox value={query['q']} label="Filter by author or id" />
      </div>
      <Shown loaded={loaded}>{(board) => <Board board={board} filter={query['q']} />}</Shown>
    </>
  );
}

function Board({ board, filter }: { readonly board: Leaderboard; readonly filter: string | undefined }) {
  const { candidates, judged, reference, device_class, authors } = board;
  if (candidates.length === 0)
    return (
      <Empty title="No candidate is right and timed yet.">
        {`${countText(judged, 'judgement')} so far, by the current judge.`}
      </Empty>
    );
  const shown = candidates.filter(({ id, author, tenant }) => matches(filter, [id, author ?? '', tenant]));
  const limits = candidates.flatMap(({ speedup: { low, high } }) => [low, high]);
  const range: Range = [Math.min(1, ...limits), Math.max(1, ...limits)];
  return (
    <>
      <p>
        {`Speed-ups over ${reference ?? 'the reference'} on ${device_class ?? 'any device'}. `}
        {`${countText(judged, 'judgement')}; candidates have different ranks if their intervals do not overlap.`}
      </p>
      {shown.length === 0 ? <Empty title="No candidate matches." /> : <Ranks rows={shown} range={range} />}
      <h2>Over time</h2>
      <Records board={board} />
      <h2>By author</h2>
      <Table
        caption="Authors by their best candidate"
        rows={authors}
        idOf={({ author }) => author}
        columns={[
          { name: 'author', side: 'left', cell: ({ author }) => author },
          { name: 'rank', cell: ({ rank }) => rankText(rank) },
          { name: 'best reward', cell: ({ best_reward }) => best_reward.toFixed(3) },
          { name: 'candidates', cell: (row) => row.candidates },
        ]}
      />
    </>
  );
}

type Range = readonly [low: number, high: number];

function Ranks({ rows, range }: { readonly rows: readonly RankedCandidate[]; readonly range: Range }) {
  return (
    <Table
      caption="Candidates, the highest reward first"
      rows={rows}
      idOf={({ id }) => id}
      columns={[
        { name: 'rank', cell: ({ rank }) => rankText(rank) },
        { name: 'author', side: 'left', cell: ({ author, tenant }) => author ?? tenant },
        { name: 'speed-up', cell: ({ speedup }) => `${speedup.estimate.toFixed(2)}×` },
        {
          name: 'interval',
          side: 'left',
          cell: ({ speedup: { low, high, estimate } }) => (
            <>
              <Interval low={low} high={high} estimate={estimate} range={range} />{' '}
              {`${low.toFixed(2)}–${high.toFixed(2)}`}
            </>
          ),
        },
        { name: 'reward', cell: ({ reward }) => reward.toFixed(3) },
        {
          name: 'verdict',
          side: 'left',
          spare: true,
          cell: ({ verdict }) => <VerdictChip verdict={verdict} />,
        },
        { name: 'submitted (UTC)', side: 'left', spare: true, cell: (row) => timeOfDay(row.submitted_at) },
        { name: 'id', side: 'left', spare: true, cell: ({ id }) => <code>{id.slice(0, 8)}</code> },
      ]}
    />
  );
}

const BAR = { width: 90, height: 12 } as const;

/** On a scale of factors, the same for all rows; the mark across is the reference. */
function Interval(props: {
  readonly low: number;
  readonly high: number;
  readonly estimate: number;
  readonly range: Range;
}) {
  const [least, most] = props.range.map(Math.log) as [number, number];
  const at = (value: number): number =>
    most === least ? BAR.width / 2 : 2 + ((Math.log(value) - least) / (most - least)) * (BAR.width - 4);
  const middle = BAR.height / 2;
  return (
    <svg width={BAR.width} height={BAR.height} aria-hidden="true">
      <line x1={at(1)} x2={at(1)} y1={0} y2={BAR.height} stroke="currentColor" opacity={0.4} />
      <line
        x1={at(props.low)}
        x2={at(props.high)}
        y1={middle}
        y2={middle}
        stroke="currentColor"
        stroke-width={3}
      />
      <circle cx={at(props.estimate)} cy={middle} r={3} fill="currentColor" />
    </svg>
  );
}

function Records({ board: { records, problem } }: { readonly board: Leaderboard }) {
  const points = useMemo(
    () => records.map(({ at, reward }) => ({ time_ms: Date.parse(at), value: reward })),
    [records],
  );
  const last = records.at(-1);
  if (last === undefined) return null;
  return (
    <figure class="panel">
      <figcaption>
        <b>The highest reward so far</b>{' '}
        {`${last.reward.toFixed(3)} by ${last.author ?? last.id.slice(0, 8)}`}
      </figcaption>
      {points.length < 2 ? (
        <p class="quiet">One record so far: a chart needs two.</p>
      ) : (
        <TimeChart
          label={`The highest reward of ${problem} over time: from ${points[0]!.value.toFixed(2)} to ${last.reward.toFixed(2)} in ${countText(points.length, 'record')}`}
          unit="×"
          points={points}
        />
      )}
    </figure>
  );
}

function rankText([best, worst]: RankedCandidate['rank']): string {
  return best === worst ? String(best) : `${best}–${worst}`;
}
