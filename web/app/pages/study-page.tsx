import { confirmedBest } from '../../../src/model/judge/confirmed-best.ts';
import { defined } from '../../../src/model/defined.ts';
import { measuredTrials } from '../../../src/model/tune/measured-trials.ts';
import { ratesOf } from '../../../src/model/device/rates.ts';
import type { Trial } from '../../../src/model/tune/study.ts';
import { ratesTexts } from '../../../src/report/text/rates-text.ts';
import { bestSoFarPlot } from '../../../src/report/svg/best-so-far-plot.tsx';
import { parallelLayout } from '../../../src/report/svg/parallel-layout.ts';
import { Bars } from '../charts/bars.tsx';
import { brushesOf, isWithin, ParallelCoordinates } from '../charts/parallel-coordinates.tsx';
import { countText, speedupText, timeOfDay, timeText, variantText } from '../common/format.ts';
import type { Place } from '../common/router.ts';
import { Drawn } from '../parts/drawn.tsx';
import { Facts } from '../parts/facts.tsx';
import { Shown } from '../parts/states.tsx';
import { StudyBeside } from '../parts/study-beside.tsx';
import { Table } from '../parts/table.tsx';
import type { StoredStudy, StudyDocument } from '../source/shapes.ts';
import { useAnswer } from '../source/use-answer.ts';

export function StudyPage({ id, query }: { readonly id: string; readonly query: Place['query'] }) {
  const loaded = useAnswer<StoredStudy>(`studies/${encodeURIComponent(id)}`);
  return (
    <Shown loaded={loaded} height={900} isPage>
      {(study) => <Content study={study} query={query} />}
    </Shown>
  );
}

/** Which rejections there were, most frequent first, each with one of its messages. */
function rejectionsOf(
  trials: readonly Trial[],
): { name: string; value: number; text: string; title: string }[] {
  const byReason = new Map<string, { count: number; message: string; gate: string }>();
  for (const { outcome } of trials) {
    if (outcome?.status !== 'rejected') continue;
    const { reason, message, gate } = outcome;
    byReason.set(reason, { count: (byReason.get(reason)?.count ?? 0) + 1, message, gate });
  }
  return [...byReason]
    .map(([name, { count, message, gate }]) => ({
      name,
      value: count,
      text: countText(count, 'trial'),
      title: `${gate}: ${message}`,
    }))
    .toSorted((one, other) => other.value - one.value);
}

interface Part {
  readonly study: StoredStudy;
}

/** As a study describes itself; one under way has said little yet. */
const told = ({ document }: StoredStudy): StudyDocument => document ?? {};

function defaultTime(study: StoredStudy): number | undefined {
  const start = measuredTrials(study.trials_list).find(({ trial }) => trial.phase === 'default');
  return told(study).default_ms ?? start?.outcome.time_ms;
}

function Content({ study, query }: Part & { readonly query: Place['query'] }) {
  const { kernel, trials_list: trials, finished_at } = study;
  const document = told(study);
  const { reason, result, confirmations = [], case: name } = document;
  const confirmed = confirmedBest(document);
  return (
    <>
      <h1>
        {kernel}
        {name === undefined ? '' : ` / ${name}`} <span class="quiet">tuned</span>{' '}
        <span class="chip">{finished_at === undefined ? 'under way' : (result ?? 'finished')}</span>
      </h1>
      {reason === undefined ? null : <p class="sentence">{reason}</p>}
      <StudyFacts study={study} />
      <h2>The search</h2>
      <figure class="panel">
        <Drawn
          name="The search"
          figure={bestSoFarPlot({ trials, confirmed, ...defined({ default_ms: defaultTime(study) }) })}
          otherwise="No trial was measured yet."
        />
      </figure>
      <Variants study={study} query={query} />
      <Importance study={study} />
      <Rejections trials={trials} />
      {confirmations.length === 0 ? null : (
        <>
          <h2>Measured against the default</h2>
          <ul class="links panel">
            {confirmations.map(({ trial, verdict, reason: why, speedup, speedup_ci }) => (
              <li key={trial}>
                Trial {trial}: <b>{verdict}</b>
                {speedup === undefined ? '' : ` ${speedup.toFixed(3)}×`}
                {speedup_ci === undefined
                  ? ''
                  : ` (${speedup_ci.map((end) => end.toFixed(3)).join(' … ')})`}.{' '}
                {why}
              </li>
            ))}
          </ul>
        </>
      )}
      <StudyBeside study={study} beside={query['with']} />
    </>
  );
}

/** A time, and what it means for the work of the case: `12.3 µs · 412 TFLOP/s`. */
function withRates(document: StudyDocument, time_ms: number | undefined): string | undefined {
  if (time_ms === undefined) return undefined;
  return [timeText(time_ms), ...ratesTexts(ratesOf(document, time_ms))].join(' · ');
}

/** Best is what was confirmed; the fastest trial is called what it is. */
function StudyFacts({ study }: Part) {
  const { trials_list: trials, started_at } = study;
  const document = told(study);
  const confirmed = confirmedBest(document);
  const measured = measuredTrials(trials);
  const rejected = trials.filter(({ outcome }) => outcome?.status === 'rejected').length;
  const known = defaultTime(study);
  const [fastest] = measured;
  const won = trials.find(({ number }) => number === confirmed?.trial);
  return (
    <Facts
      facts={[
        ['confirmed', confirmed?.speedup === undefined ? 'nothing yet' : speedupText(confirmed.speedup)],
        ['confirmed variant', won === undefined ? undefined : <code>{variantText(won.variant)}</code>],
        ['confirmed time', confirmed === undefined ? undefined : withRates(document, document.best?.time_ms)],
        ['default', withRates(document, known)],
        [
          'fastest trial, unconfirmed',
          fastest === undefined || fastest.trial.number === confirmed?.trial
            ? undefined
            : `${timeText(fastest.outcome.time_ms)} (trial ${fastest.trial.number})`,
        ],
        ['trials', `${trials.length}, of which ${measured.length} measured and ${rejected} rejected`],
        ['device', document.device?.name],
        ['started', timeOfDay(started_at)],
      ]}
    />
  );
}

/** All variants as lines, and the fastest of those that are chosen. */
function Variants({ study, query }: Part & { readonly query: Place['query'] }) {
  const { trials_list: trials } = study;
  const document = told(study);
  const layout = parallelLayout(trials, document.space?.parameters);
  const brushes = layout === undefined ? [] : brushesOf(layout, query);
  const chosen = measuredTrials(trials).filter(({ trial }) => isWithin(trial.variant, brushes));
  const verdicts = new Map(document.confirmations?.map(({ trial, verdict }) => [trial, verdict]));
  return (
    <>
      <h2>Variants</h2>
      <figure class="panel">
        {layout === undefined ? (
          <p class="quiet">Fewer than two different variants were measured so far.</p>
        ) : (
          <ParallelCoordinates layout={layout} query={query} confirmed={confirmedBest(document)?.trial} />
        )}
      </figure>
      <h2>
        {brushes.length === 0 ? 'Fastest trials' : `Fastest of ${countText(chosen.length, 'chosen trial')}`}
      </h2>
      <Table
        caption="Fastest trials"
        rows={chosen.slice(0, 15)}
        idOf={({ trial }) => String(trial.number)}
        columns={[
          { name: 'trial', side: 'left', cell: ({ trial }) => trial.number },
          { name: 'time in the search', cell: ({ outcome }) => timeText(outcome.time_ms) },
          {
            name: 'against the default',
            side: 'left',
            cell: ({ trial }) =>
              verdicts.get(trial.number) ?? (trial.phase === 'default' ? 'is the default' : 'not compared'),
          },
          {
            name: 'variant',
            side: 'left',
            cell: ({ trial }) => <code class="wrap">{variantText(trial.variant)}</code>,
          },
          {
            name: 'measured',
            spare: true,
            cell: ({ outcome }) =>
              `${countText(outcome.processes, 'process', 'processes')}, ${countText(outcome.samples, 'sample')}${outcome.stopped_early ? ', stopped early' : ''}`,
          },
          { name: 'registers', spare: true, cell: ({ trial }) => trial.resources?.registers ?? '–' },
        ]}
      />
    </>
  );
}

function Importance({ study }: Part) {
  const { importance } = told(study);
  return (
    <>
      <h2>What matters</h2>
      {importance === undefined ? (
        <p class="quiet">
          How much each tunable matters is computed when a study ends, if enough trials were measured.
        </p>
      ) : (
        <div class="panel padded">
          <Bars
            label="Importance of tunables"
            rows={importance.parameters.map(({ name, share }) => ({
              name,
              value: share,
              text: `${(100 * share).toFixed(0)} %`,
            }))}
          />
          <p class="quiet">
            {`Share of the variance of log time (${importance.method}), from ${countText(importance.trials, 'trial')}; the model explains ${(100 * importance.explained).toFixed(0)} % of the variance of held-out trials.`}
          </p>
        </div>
      )}
    </>
  );
}

function Rejections({ trials }: { readonly trials: readonly Trial[] }) {
  const rejections = rejectionsOf(trials);
  return (
    <>
      <h2>Rejections</h2>
      {rejections.length === 0 ? (
        <p class="quiet">No variant was rejected.</p>
      ) : (
        <div class="panel padded">
          <Bars label="Rejections by reason" rows={rejections} />
        </div>
      )}
    </>
  );
}
