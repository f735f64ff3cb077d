import { defined } from '../../../src/model/defined.ts';
import type { Trial } from '../../../src/model/study.ts';
import { bestSoFarPlot } from '../../../src/report/svg/best-so-far-plot.tsx';
import { Bars } from '../charts/bars.tsx';
import { ParallelCoordinates } from '../charts/parallel-coordinates.tsx';
import { countText, speedupText, timeOfDay, timeText, variantText } from '../common/format.ts';
import { Drawn } from '../parts/drawn.tsx';
import { Facts } from '../parts/facts.tsx';
import { Shown } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import type { StoredStudy, StudyDocument } from '../source/shapes.ts';
import { useAnswer } from '../source/use-answer.ts';

export function StudyPage({ id }: { readonly id: string }) {
  const loaded = useAnswer<StoredStudy>(`studies/${encodeURIComponent(id)}`);
  return (
    <Shown loaded={loaded} height={900} isPage>
      {(study) => <Content study={study} />}
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

function Content({ study }: { readonly study: StoredStudy }) {
  const { kernel, trials_list: trials, finished_at, started_at } = study;
  const {
    reason,
    result,
    default_ms,
    importance,
    confirmations = [],
    case: name,
  } = (study.document ?? {}) as StudyDocument;
  const measured = trials.flatMap((trial) =>
    trial.outcome?.status === 'measured' ? [{ ...trial, outcome: trial.outcome }] : [],
  );
  const fastest = measured.toSorted((one, other) => one.outcome.time_ms - other.outcome.time_ms);
  const known = default_ms ?? measured.find(({ phase }) => phase === 'default')?.outcome.time_ms;
  const best = fastest[0];
  const rejections = rejectionsOf(trials);
  return (
    <>
      <h1>
        {kernel}
        {name === undefined ? '' : ` / ${name}`} <span class="quiet">tuned</span>{' '}
        <span class="chip">{finished_at === undefined ? 'under way' : (result ?? 'finished')}</span>
      </h1>
      {reason === undefined ? null : <p class="sentence">{reason}</p>}
      <Facts
        facts={[
          ['started', timeOfDay(started_at)],
          [
            'trials',
            `${trials.length}, of which ${measured.length} measured and ${rejections.reduce((sum, { value }) => sum + value, 0)} rejected`,
          ],
          ['default', known === undefined ? undefined : timeText(known)],
          ['best', best === undefined ? undefined : timeText(best.outcome.time_ms)],
          [
            'speed-up of the trials',
            best === undefined || known === undefined ? undefined : speedupText(known / best.outcome.time_ms),
          ],
          ['best variant', best === undefined ? undefined : <code>{variantText(best.variant)}</code>],
        ]}
      />
      <h2>Best so far</h2>
      <figure class="panel">
        <Drawn
          name="Best so far"
          figure={bestSoFarPlot({ trials, ...defined({ default_ms: known }) })}
          otherwise="No trial was measured yet."
        />
      </figure>
      <h2>Variants</h2>
      <figure class="panel">
        <ParallelCoordinates trials={trials} />
      </figure>
      <h2>What matters</h2>
      {importance === undefined ? (
        <p class="quiet">
          How much each tunable matters is worked out when a study ends, from enough measured trials.
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
            {`Share of the variance of log time (${importance.method}), from ${countText(importance.trials, 'trial')}; the model explains ${(100 * importance.explained).toFixed(0)} % of trials it did not see.`}
          </p>
        </div>
      )}
      <h2>Rejections</h2>
      {rejections.length === 0 ? (
        <p class="quiet">No variant was rejected.</p>
      ) : (
        <div class="panel padded">
          <Bars label="Rejections by reason" rows={rejections} />
        </div>
      )}
      {confirmations.length === 0 ? null : (
        <>
          <h2>Confirmed against the default</h2>
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
      <h2>Fastest trials</h2>
      <Table
        caption="Fastest trials"
        rows={fastest.slice(0, 15)}
        idOf={({ number }) => String(number)}
        columns={[
          { name: 'trial', side: 'left', cell: ({ number }) => number },
          { name: 'time', cell: ({ outcome }) => timeText(outcome.time_ms) },
          {
            name: 'variant',
            side: 'left',
            cell: ({ variant }) => <code class="wrap">{variantText(variant)}</code>,
          },
          {
            name: 'measured',
            spare: true,
            cell: ({ outcome }) =>
              `${countText(outcome.processes, 'process', 'processes')}, ${countText(outcome.samples, 'sample')}${outcome.stopped_early ? ', stopped early' : ''}`,
          },
          { name: 'registers', spare: true, cell: ({ resources }) => resources?.registers ?? '–' },
        ]}
      />
    </>
  );
}
