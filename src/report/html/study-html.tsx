import type { ComponentChildren } from 'preact';

import { confirmedBest } from '../../model/judge/confirmed-best.ts';
import type { Study } from '../../model/tune/study-report.ts';
import type { Trial } from '../../model/tune/study.ts';
import { variantText } from '../../model/problem/variant.ts';
import { BENCH_STYLE } from './bench-style.ts';
import { moneyText } from '../text/cost-text.ts';
import { htmlPage } from './html-page.tsx';
import { DataTable, Facts, FactsLine } from './page-parts.tsx';
import { ENDED_BY, percentOf, rejectionRows, speedupText, STUDY_TITLES } from '../text/study-text.ts';
import { bestSoFarPlot } from '../svg/best-so-far-plot.tsx';
import { FIGURE_STYLE } from '../svg/figure-style.ts';
import { InlineFigure, type Figure } from '../svg/figure.tsx';
import { namedBars } from '../svg/named-bars.tsx';
import { parallelCoordinatesPlot } from '../svg/parallel-coordinates-plot.tsx';
import { formatDuration, timeText } from '../text/units.ts';

const STYLE = `td.variant { white-space: normal; text-align: left; } .winner td { font-weight: 650; }`;

/** The study as one file: no scripts, nothing fetched. */
export function renderStudyHtml(study: Study): string {
  const title = `${STUDY_TITLES[study.result]}: ${study.kernel} ${study.case}`;
  const { cost, device, mode, trials, settings } = study;
  return htmlPage({
    title,
    style: `${BENCH_STYLE}${FIGURE_STYLE}${STYLE}`,
    body: (
      <>
        <header>
          <h1>{title}</h1>
          <FactsLine
            facts={[
              ['device', device.name],
              ['mode', mode],
              ['trials', `${trials.length}; ${study.space.extent}`],
              ['sampler', `${settings.sampler}, seed ${settings.seed}`],
              ['ended', ENDED_BY[study.ended_by] ?? study.ended_by],
              ['took', formatDuration(1000 * study.throughput.wall_s)],
              ['cost', cost.money && moneyText(cost.money)],
              ['study', study.id],
            ]}
          />
          <p>{study.reason}</p>
        </header>
        <Winner study={study} />
        <Confirmations study={study} />
        <Drawn title="The search" figure={searchPlot(study)} />
        <Drawn title="Tunables of the measured trials" figure={parallelCoordinatesPlot(study)} />
        <Importance study={study} />
        <Rejections study={study} />
        <Throughput study={study} />
        <Trials study={study} />
      </>
    ),
  });
}

/** Pictures that stand beside the report, by file name. */
export function studyPictures(study: Study): { readonly name: string; readonly figure: Figure }[] {
  const found = [
    { name: 'best-so-far.svg', figure: searchPlot(study) },
    { name: 'parallel-coordinates.svg', figure: parallelCoordinatesPlot(study) },
    { name: 'importance.svg', figure: importanceBars(study) },
    { name: 'rejections.svg', figure: rejectionBars(study) },
  ];
  return found.flatMap(({ name, figure: drawn }) => (drawn === undefined ? [] : [{ name, figure: drawn }]));
}

interface Shown {
  readonly study: Study;
}

function searchPlot(study: Study): Figure | undefined {
  return bestSoFarPlot({ ...study, confirmed: confirmedBest(study) });
}

function Drawn(props: {
  readonly title: string;
  readonly figure: Figure | undefined;
  readonly children?: ComponentChildren;
}) {
  if (props.figure === undefined) return null;
  return (
    <section>
      <h2>{props.title}</h2>
      {props.children}
      <figure class="panel">
        <InlineFigure figure={props.figure} />
      </figure>
    </section>
  );
}

function Winner({ study }: Shown) {
  const { best, default: standard, profile } = study;
  if (best === undefined) return null;
  const confirmed = confirmedBest(study);
  return (
    <section>
      <h2>
        {confirmed === undefined
          ? `Fastest trial, not confirmed: ${timeText(best.time_ms)} (trial ${best.trial})`
          : `Confirmed: ${speedupText(confirmed)}`}
      </h2>
      <DataTable columns={[['tunable', 'left'], ['value'], ['default']]}>
        {Object.entries(best.variant).map(([name, value]) => (
          <tr class={standard[name] === value ? undefined : 'winner'}>
            <td class="left">
              <code>{name}</code>
            </td>
            <td>{String(value)}</td>
            <td>{String(standard[name])}</td>
          </tr>
        ))}
      </DataTable>
      {profile !== undefined && (
        <p>{profile.summary ?? `The winner was not profiled: ${profile.skipped ?? 'no reason is known'}`}</p>
      )}
      {profile?.warnings?.map(({ gate, message }) => (
        <p>
          <strong>{gate}</strong>: {message}
        </p>
      ))}
    </section>
  );
}

function Confirmations({ study: { confirmations } }: Shown) {
  if (confirmations.length === 0) return null;
  return (
    <section>
      <h2>
        Confirmation <small>finalists beside the default, in interleaved fresh processes</small>
      </h2>
      <DataTable columns={[['trial'], ['verdict', 'left'], ['speed-up'], ['processes'], ['variant', 'left']]}>
        {confirmations.map(({ trial, variant, verdict, reason, processes, ...rest }) => (
          <tr>
            <td>{trial}</td>
            <td class="left">{verdict}</td>
            <td>{speedupText(rest)}</td>
            <td>{processes.join(' / ')}</td>
            <td class="variant">
              <code>{variantText(variant)}</code>
              <br />
              {reason}
            </td>
          </tr>
        ))}
      </DataTable>
    </section>
  );
}

function importanceBars({ importance }: Study): Figure | undefined {
  if (importance === undefined) return undefined;
  const bars = [
    ...importance.parameters,
    ...importance.pairs.map(({ names, share }) => ({ name: names.join(' × '), share })),
  ].map(({ name, share }) => ({ name, value: share, text: percentOf(share) }));
  return namedBars(bars, 'Share of the variance of log time by tunable and by pair');
}

function Importance({ study }: Shown) {
  const { importance } = study;
  if (importance === undefined) return null;
  const { method, trials, explained } = importance;
  return (
    <Drawn title="What the time depends on" figure={importanceBars(study)}>
      <p class="quiet">
        By {method}, over {trials} trials; it explains {percentOf(Math.max(0, explained))} of the variance of
        held-out trials. A pair's share is their joint effect, beyond the effect of each.
      </p>
    </Drawn>
  );
}

function rejectionBars(study: Study): Figure | undefined {
  const bars = rejectionRows(study).map(({ reason, count }) => ({
    name: reason,
    value: count,
    text: String(count),
  }));
  return namedBars(bars, 'Rejected trials by reason');
}

function Rejections({ study }: Shown) {
  return (
    <Drawn title="Rejections" figure={rejectionBars(study)}>
      <ul class="notices">
        {rejectionRows(study).map(({ reason, meaning, example }) => (
          <li>
            <b>{reason}</b>: {meaning}. First: {example.slice(0, 300)}
          </li>
        ))}
      </ul>
    </Drawn>
  );
}

function Throughput({ study: { throughput, notes } }: Shown) {
  return (
    <section>
      <h2>How it went</h2>
      <Facts
        facts={[
          ['trials a minute', throughput.trials_per_minute.toFixed(1)],
          ['device measuring', percentOf(throughput.measuring_share)],
          ['search', formatDuration(1000 * throughput.search_s)],
          ['builds, one by one', formatDuration(1000 * throughput.building_s)],
          ['builds at once', `up to ${throughput.builds_at_once}`],
        ]}
      />
      {notes.map((note) => (
        <p>{note}</p>
      ))}
    </section>
  );
}

function Trials({ study: { trials } }: Shown) {
  return (
    <section>
      <h2>All trials</h2>
      <DataTable columns={[['#'], ['phase', 'left'], ['time'], ['outcome', 'left'], ['variant', 'left']]}>
        {trials.map((trial) => (
          <tr>
            <td>{trial.number}</td>
            <td class="left">{trial.phase}</td>
            <td>{trial.outcome?.status === 'measured' && timeText(trial.outcome.time_ms)}</td>
            <td class="variant">{outcomeText(trial)}</td>
            <td class="variant">
              <code>{variantText(trial.variant)}</code>
            </td>
          </tr>
        ))}
      </DataTable>
    </section>
  );
}

function outcomeText({ outcome, same_binary_as }: Trial): string {
  const said =
    outcome === undefined
      ? 'under way'
      : outcome.status === 'rejected'
        ? `${outcome.reason}: ${outcome.message.slice(0, 160)}`
        : outcome.stopped_early
          ? 'stopped early'
          : 'measured';
  return same_binary_as === undefined ? said : `${said} (the same program as trial ${same_binary_as})`;
}
