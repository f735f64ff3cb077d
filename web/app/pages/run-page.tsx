import { ratesOf, workOf } from '../../../src/model/device/rates.ts';
import { ratesTexts } from '../../../src/report/text/rates-text.ts';
import { forestPlot } from '../../../src/report/svg/forest-plot.tsx';
import { formatDuration, moneyText, timeOfDay, timeText } from '../common/format.ts';
import { Change } from '../parts/change.tsx';
import { Commit, PullRequest } from '../parts/commit.tsx';
import { Drawn } from '../parts/drawn.tsx';
import { Facts } from '../parts/facts.tsx';
import { KeyName } from '../parts/key-name.tsx';
import { Level } from '../parts/level.tsx';
import { Rates } from '../parts/rates.tsx';
import { MeasurementPanel } from '../parts/measurement-panel.tsx';
import { Empty, Shown } from '../parts/states.tsx';
import { FilterBox, matches } from '../parts/filter-box.tsx';
import { PagedTable } from '../parts/paged-table.tsx';
import { VerdictChip } from '../parts/verdict.tsx';
import { adjust, type Place } from '../common/router.ts';
import type { MeasurementSummary, RunDetail, StoredVerdict } from '../source/shapes.ts';
import { useCommit } from '../source/use-commit.ts';
import { useAnswer } from '../source/use-answer.ts';
import { byUrgency } from '../../../src/model/judge/verdict.ts';

export function RunPage({ id, query }: { readonly id: string; readonly query: Place['query'] }) {
  const loaded = useAnswer<RunDetail>(`runs/${encodeURIComponent(id)}`);
  return (
    <Shown loaded={loaded} height={900} isPage>
      {(detail) => <Content detail={detail} chosen={query['m']} q={query['q']} />}
    </Shown>
  );
}

/** From so many rows on a run is searched rather than read. */
const MANY_ROWS = 30;

function Content(props: {
  readonly detail: RunDetail;
  readonly chosen: string | undefined;
  readonly q: string | undefined;
}) {
  const { detail, chosen, q } = props;
  const { run } = detail;
  const isAsked = ({ key }: Pick<MeasurementSummary, 'key'>): boolean =>
    matches(q, [key.kernel, key.case, key.mode, key.device_class]);
  const verdicts = detail.verdicts.filter(isAsked);
  const measurements = detail.measurements.filter(isAsked);
  const { commit, base_commit, device_s, money } = run;
  const told = useCommit(commit);
  const shown =
    detail.measurements.find(({ id }) => id === chosen) ??
    measurements.find(({ side }) => side === 'head') ??
    measurements[0];
  return (
    <>
      <h1>
        {run.kind} <span class="quiet">of</span> {timeOfDay(run.started_at)}{' '}
        <VerdictChip verdict={run.verdict} />
      </h1>
      {detail.left_out === undefined ? null : (
        <p class="sentence">
          {detail.left_out} more measurements of this run are not in this file; <code>pawl serve</code> shows
          all.
        </p>
      )}
      <Facts
        facts={[
          [
            'commit',
            commit === undefined ? undefined : (
              <>
                <Commit sha={commit} />
                {run.dirty === true ? ' + changes' : null}
              </>
            ),
          ],
          ['measured against', base_commit === undefined ? undefined : <Commit sha={base_commit} />],
          ['branch', run.branch],
          [
            'pull request',
            run.pull_request === undefined ? undefined : (
              <PullRequest number={run.pull_request} url={told?.pull_request_url} />
            ),
          ],
          ['device', run.device],
          ['host', run.host],
          [
            'took',
            run.finished_at === undefined
              ? undefined
              : formatDuration(Date.parse(run.finished_at) - Date.parse(run.started_at)),
          ],
          ['device held', device_s === undefined ? undefined : formatDuration(device_s * 1000)],
          ['cost', money === undefined ? undefined : moneyText(money)],
          ['id', <code key="id">{run.id.slice(0, 12)}</code>],
        ]}
      />
      {detail.measurements.length < MANY_ROWS ? null : (
        <div class="tools-line">
          <FilterBox value={q} label="Filter cases" />
        </div>
      )}
      {verdicts.length === 0 ? null : <Verdicts verdicts={verdicts} />}
      <h2>Measurements</h2>
      {measurements.length === 0 && detail.measurements.length > 0 ? (
        <Empty title="No case matches.">Use fewer words.</Empty>
      ) : measurements.length === 0 ? (
        <Empty title="This run has no measurements.">
          It ended before its first series, or it was imported without samples.
        </Empty>
      ) : (
        <Measurements measurements={measurements} shown={shown?.id} />
      )}
      {shown === undefined ? null : <MeasurementPanel id={shown.id} chosen={chosen} />}
    </>
  );
}

function Verdicts({ verdicts }: { readonly verdicts: readonly StoredVerdict[] }) {
  const sorted = verdicts.toSorted(
    (one, other) => byUrgency(one, other) || (one.change_pct ?? 0) - (other.change_pct ?? 0),
  );
  return (
    <>
      <h2>Verdicts</h2>
      {sorted.some(({ change_pct }) => change_pct !== undefined) ? (
        <figure class="panel">
          <Drawn
            name="Forest plot"
            figure={forestPlot(
              sorted.map((one) => ({
                ...one,
                name: `${one.key.kernel} / ${one.key.case} (${one.key.mode})`,
              })),
            )}
          />
        </figure>
      ) : null}
      <PagedTable
        caption="Verdicts by case, worst first"
        rows={sorted}
        idOf={({ key }) => key.id}
        columns={[
          { name: 'case', side: 'left', cell: ({ key }) => <KeyName keyed={key} /> },
          {
            name: 'verdict',
            side: 'left',
            cell: ({ verdict, waived }) => (
              <>
                <VerdictChip verdict={verdict} />
                {waived ? <small> waived</small> : null}
              </>
            ),
          },
          {
            name: 'change',
            cell: ({ change_pct, ci_pct }) => <Change change_pct={change_pct} ci_pct={ci_pct} />,
          },
          {
            name: 'baseline',
            cell: ({ baseline_ms }) => (baseline_ms === undefined ? '–' : timeText(baseline_ms)),
          },
          {
            name: 'candidate',
            cell: ({ candidate_ms }) => (candidate_ms === undefined ? '–' : timeText(candidate_ms)),
          },
          {
            name: 'why',
            side: 'left',
            cell: ({ reason }) => <span class="wrap">{reason ?? '–'}</span>,
          },
        ]}
      />
    </>
  );
}

function measuredRates(one: MeasurementSummary) {
  return one.level_ms === undefined ? {} : ratesOf(workOf(one), one.level_ms);
}

function Measurements({
  measurements,
  shown,
}: {
  readonly measurements: readonly MeasurementSummary[];
  readonly shown: string | undefined;
}) {
  return (
    <PagedTable
      caption="What was measured"
      rows={measurements}
      idOf={({ id }) => id}
      toneOf={({ id }) => (id === shown ? 'chosen' : '')}
      columns={[
        { name: 'case', side: 'left', cell: ({ key }) => <KeyName keyed={key} /> },
        { name: 'side', side: 'left', cell: ({ side }) => side },
        { name: 'level', cell: ({ level_ms, ci_ms }) => <Level level_ms={level_ms} ci_ms={ci_ms} /> },
        ...(measurements.some((one) => ratesTexts(measuredRates(one)).length > 0)
          ? [{ name: 'rate', cell: (one: MeasurementSummary) => <Rates rates={measuredRates(one)} /> }]
          : []),
        { name: 'processes', cell: ({ processes }) => processes },
        { name: 'samples', cell: ({ samples }) => samples },
        ...(measurements.some(({ fault }) => fault !== undefined)
          ? [
              {
                name: 'wrong',
                side: 'left' as const,
                cell: ({ fault }: MeasurementSummary) => <span class="wrap">{fault ?? '–'}</span>,
              },
            ]
          : []),
        {
          name: 'look',
          cell: ({ id, key }) => (
            <button type="button" aria-pressed={id === shown} onClick={() => adjust({ m: id })}>
              samples<span class="hidden"> of {key.case}</span>
            </button>
          ),
        },
      ]}
    />
  );
}
