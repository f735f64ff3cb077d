import { useContext, useEffect, useState } from 'preact/hooks';

import { ATTENTION } from '../../../src/model/judge/attention.ts';
import { DAY_MS } from '../../../src/model/text/moment.ts';
import type { Overview } from '../../../src/model/history/history.ts';
import { newestText, settingText } from '../../../src/report/text/trend-text.ts';
import { Sparkline } from '../charts/sparkline.tsx';
import { FILL_HISTORY } from '../common/commands.ts';
import { agoText, changeText, countText, dateText, formatDuration, timeText } from '../common/format.ts';
import { AttentionChips } from '../parts/attention-chips.tsx';
import { Change } from '../parts/change.tsx';
import { Choice, sinceOf, WINDOWS } from '../parts/choice.tsx';
import { Commit } from '../parts/commit.tsx';
import { FilterBox, matches } from '../parts/filter-box.tsx';
import { KeyName } from '../parts/key-name.tsx';
import { Level } from '../parts/level.tsx';
import { Rates } from '../parts/rates.tsx';
import { RunsTable } from '../parts/runs-table.tsx';
import { Empty, Shown } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import type { Place } from '../common/router.ts';
import { SourceContext, useAnswer } from '../source/use-answer.ts';

type OverviewKey = Overview['keys'][number];

/** More rows are a list to filter, not one to read; the rest is counted. */
const MOST_ROWS = 200;
/** How often the server is asked while it searches. */
const AGAIN_MS = 1000;

export function OverviewPage({ query }: { readonly query: Place['query'] }) {
  const since = sinceOf(query['since'], Date.now());
  const [round, setRound] = useState(0);
  const loaded = useAnswer<Overview>(
    `overview${since === undefined ? '?since=1970-01-01T00:00:00Z' : `?since=${since}`}`,
    round,
  );
  const isSearching = loaded.state === 'done' && loaded.answer.trends_pending !== undefined;
  useEffect(() => {
    if (!isSearching) return;
    const timer = setTimeout(() => setRound(round + 1), AGAIN_MS);
    return () => clearTimeout(timer);
  }, [isSearching, round]);
  return (
    <>
      <h1>Overview</h1>
      <Shown loaded={loaded} height={720}>
        {(overview) =>
          overview.keys.length === 0 && overview.runs.length === 0 ? (
            <NothingYet />
          ) : (
            <Content overview={overview} query={query} />
          )
        }
      </Shown>
    </>
  );
}

/** A report holds one window, the one it was made for. */
function windowText({ since, until }: Overview): string {
  const days = Math.round((Date.parse(until) - Date.parse(since)) / DAY_MS);
  return `${countText(days, 'day')}, ${dateText(since)} to ${dateText(until)}`;
}

function NothingYet() {
  return (
    <Empty
      title="Nothing was recorded in this window."
      command={FILL_HISTORY.map(([command, does]) => `${command.padEnd(32)}# ${does}`).join('\n')}
    >
      Every measuring command records its run; older runs can be imported. A longer window may have some:{' '}
      <a href="#/?since=all">show everything</a>.
    </Empty>
  );
}

function Content({ overview, query }: { readonly overview: Overview; readonly query: Place['query'] }) {
  const { keys, runs, totals } = overview;
  const isFile = useContext(SourceContext)?.source.kind === 'file';
  const { q, show, kernel, device } = query;
  const rows = keys.filter(
    ({ key, attention, last_commit, last_change }) =>
      (show === undefined || attention.some((one) => one === show)) &&
      (kernel === undefined || key.kernel === kernel) &&
      (device === undefined || key.device === device) &&
      matches(q, [key.kernel, key.case, key.mode, key.device_class, last_commit, last_change?.commit]),
  );
  const shown = rows.slice(0, MOST_ROWS);
  return (
    <>
      <p class="facts-line">
        <b>{countText(totals.keys, 'case')}</b>, <b>{countText(totals.runs, 'run')}</b>,{' '}
        {countText(totals.samples, 'sample')}, device held for {formatDuration(totals.device_s * 1000)}
      </p>
      <AttentionChips keys={keys} show={show} />
      {overview.trends_pending === undefined ? null : (
        <p class="quiet" role="status">
          Searching {countText(overview.trends_pending, 'case')} with new points for steps and creeps…
        </p>
      )}
      <div class="tools-line">
        <FilterBox value={q} label="Filter cases" />
        {isFile ? (
          <span class="quiet">{windowText(overview)}</span>
        ) : (
          <Choice label="Window" name="since" value={query['since']} options={WINDOWS} />
        )}
        <Choice
          label="Kernel"
          name="kernel"
          value={kernel}
          options={optionsOf(keys.map(({ key }) => key.kernel))}
        />
        <Choice
          label="Device"
          name="device"
          value={device}
          options={optionsOf(keys.map(({ key }) => key.device))}
        />
      </div>
      {rows.length === 0 ? (
        <Empty title="No case matches.">
          Fewer words, or <a href="#/">no filter at all</a>.
        </Empty>
      ) : (
        <Cases rows={shown} />
      )}
      {rows.length > shown.length ? (
        <p class="quiet">{`And ${rows.length - shown.length} more: filter to see them.`}</p>
      ) : null}
      <h2>Latest runs</h2>
      <RunsTable runs={runs.slice(0, 10)} />
      <p>
        <a href="#/runs">All runs</a>
      </p>
    </>
  );
}

function Cases({ rows }: { readonly rows: readonly OverviewKey[] }) {
  return (
    <Table
      caption="Cases, what needs attention first"
      rows={rows}
      idOf={({ key }) => key.id}
      toneOf={({ attention }) => (attention.some((one) => ATTENTION[one].tone === 'bad') ? 'alarming' : '')}
      columns={[
        { name: 'case', side: 'left', cell: ({ key }) => <KeyName keyed={key} /> },
        {
          name: 'attention',
          side: 'left',
          cell: ({ attention, trend_pending }) => (
            <span class="tags">
              {trend_pending === true ? (
                <span class="tag tone-plain" title="Its newest points were not searched for changes yet.">
                  not searched yet
                </span>
              ) : null}
              {attention.map((one) => (
                <span key={one} class={`tag tone-${ATTENTION[one].tone}`}>
                  {one}
                </span>
              ))}
            </span>
          ),
        },
        {
          name: 'trend',
          side: 'left',
          cell: (row) => <Sparkline levels_ms={row.spark_ms} label={sparkLabel(row)} />,
        },
        { name: 'level', cell: ({ level_ms, ci_ms }) => <Level level_ms={level_ms} ci_ms={ci_ms} /> },
        ...(rows.some(({ rates }) => rates !== undefined)
          ? [{ name: 'rate', cell: ({ rates }: OverviewKey) => <Rates rates={rates} /> }]
          : []),
        { name: 'in the window', cell: ({ change_pct }) => <Change change_pct={change_pct} /> },
        { name: 'last change', cell: (row) => <LastChange row={row} /> },
        {
          name: 'seen',
          spare: true,
          cell: ({ last_time }) => <span title={last_time}>{agoText(last_time, Date.now())}</span>,
        },
      ]}
    />
  );
}

function LastChange({ row: { last_change: change, newest } }: { readonly row: OverviewKey }) {
  if (newest !== undefined)
    return (
      <span class="last-change" title={newestText(newest)}>
        <Change change_pct={newest.change_pct} ci_pct={newest.ci_pct} />{' '}
        <small>
          newest, at <Commit sha={newest.commit} brief />
        </small>
      </span>
    );
  if (change === undefined) return <span class="quiet">none</span>;
  return (
    <span class="last-change">
      <Change change_pct={change.change_pct} ci_pct={change.ci_pct} />{' '}
      <small>
        {change.kind} at <Commit sha={change.commit} brief />
        {(change.settings ?? []).map((setting) => (
          <>
            <br />
            {settingText(setting)}
          </>
        ))}
      </small>
    </span>
  );
}

function sparkLabel({ spark_ms, change_pct }: OverviewKey): string {
  const [first, last] = [spark_ms[0], spark_ms.at(-1)];
  if (first === undefined || last === undefined) return 'no points';
  return `from ${timeText(first)} to ${timeText(last)}${change_pct === undefined ? '' : `, ${changeText(change_pct)}`}`;
}

function optionsOf(values: readonly string[]): readonly (readonly [string, string])[] {
  return [['', 'all'], ...[...new Set(values)].toSorted().map((value) => [value, value] as const)];
}
