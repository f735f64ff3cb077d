import type { Study } from '../model/study-report.ts';
import type { Trial } from '../model/study.ts';
import { variantText } from '../model/variant.ts';
import { BENCH_STYLE } from './bench-style.ts';
import { htmlPage } from './html-page.ts';
import { moneyText } from './cost-text.ts';
import { htmlText } from './html-text.ts';
import {
  ENDED_BY,
  percentOf,
  rejectionRows,
  speedupText,
  STUDY_TITLES,
  winningConfirmation,
} from './study-text.ts';
import { bestSoFarPlot } from './svg/best-so-far-plot.ts';
import { FIGURE_STYLE, inlineFigure, type Figure } from './svg/figure.ts';
import { namedBars } from './svg/named-bars.ts';
import { parallelCoordinatesPlot } from './svg/parallel-coordinates-plot.ts';
import { formatDuration, timeText } from './units.ts';

const STYLE = `td.variant { white-space: normal; text-align: left; } .winner td { font-weight: 650; }`;

/** The study as one file: no scripts, nothing fetched. */
export function renderStudyHtml(study: Study): string {
  const title = `${STUDY_TITLES[study.result]}: ${study.kernel} ${study.case}`;
  return htmlPage({
    title,
    style: `${BENCH_STYLE}${FIGURE_STYLE}${STYLE}`,
    parts: [
      `<header>
<h1>${htmlText(title)}</h1>
<p class="facts">${facts(study)}</p>
<p>${htmlText(study.reason)}</p>
</header>`,
      winnerSection(study),
      confirmationSection(study),
      figure('Best so far', bestSoFarPlot(study)),
      figure('Tunables of the measured trials', parallelCoordinatesPlot(study)),
      importanceSection(study),
      rejectionSection(study),
      throughputSection(study),
      trialSection(study),
    ],
  });
}

/** Pictures that stand beside the report, by file name. */
export function studyPictures(study: Study): { readonly name: string; readonly figure: Figure }[] {
  const found = [
    { name: 'best-so-far.svg', figure: bestSoFarPlot(study) },
    { name: 'parallel-coordinates.svg', figure: parallelCoordinatesPlot(study) },
    { name: 'importance.svg', figure: importanceBars(study) },
    { name: 'rejections.svg', figure: rejectionBars(study) },
  ];
  return found.flatMap(({ name, figure: drawn }) => (drawn === undefined ? [] : [{ name, figure: drawn }]));
}

function facts(study: Study): string {
  const { cost, device, mode, trials, settings } = study;
  const pairs: (readonly [string, string])[] = [
    ['device', device.name],
    ['mode', mode],
    ['trials', `${trials.length}; ${study.space.extent}`],
    ['sampler', `${settings.sampler}, seed ${settings.seed}`],
    ['ended', ENDED_BY[study.ended_by] ?? study.ended_by],
    ['took', formatDuration(1000 * study.throughput.wall_s)],
    ...(cost.money === undefined ? [] : [['cost', moneyText(cost.money)] as const]),
    ['study', study.id],
  ];
  return pairs.map(([name, value]) => `${htmlText(name)} <b>${htmlText(value)}</b>`).join(' · ');
}

function figure(title: string, drawn: Figure | undefined, note = ''): string {
  if (drawn === undefined) return '';
  return `<section><h2>${htmlText(title)}</h2>${note}<figure class="panel">${inlineFigure(drawn)}</figure></section>`;
}

function winnerSection(study: Study): string {
  const { best, default: standard } = study;
  if (best === undefined) return '';
  const confirmed = winningConfirmation(study);
  const rows = Object.entries(best.variant).map(
    ([name, value]) =>
      `<tr${standard[name] === value ? '' : ' class="winner"'}><td class="left"><code>${htmlText(name)}</code></td><td>${htmlText(String(value))}</td><td>${htmlText(String(standard[name]))}</td></tr>`,
  );
  const title =
    confirmed === undefined ? `Trial ${best.trial}: ${timeText(best.time_ms)}` : speedupText(confirmed);
  return `<section><h2>${htmlText(title)}</h2>
<div class="table panel"><table><thead><tr><th class="left" scope="col">tunable</th><th scope="col">value</th><th scope="col">default</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>
${profileLine(study)}</section>`;
}

function profileLine({ profile }: Study): string {
  if (profile === undefined) return '';
  const text = profile.summary ?? `The winner was not profiled: ${profile.skipped ?? 'no reason is known'}`;
  const warnings = (profile.warnings ?? []).map(
    ({ gate, message }) => `<p><strong>${gate}</strong>: ${htmlText(message)}</p>`,
  );
  return `<p>${htmlText(text)}</p>${warnings.join('')}`;
}

function confirmationSection({ confirmations }: Study): string {
  if (confirmations.length === 0) return '';
  const rows = confirmations.map(
    ({ trial, variant, verdict, reason, processes, ...rest }) =>
      `<tr><td>${trial}</td><td class="left">${verdict}</td><td>${htmlText(speedupText(rest))}</td><td>${processes.join(' / ')}</td><td class="variant"><code>${htmlText(variantText(variant))}</code><br>${htmlText(reason)}</td></tr>`,
  );
  return `<section><h2>Confirmation <small>finalists beside the default, in interleaved fresh processes</small></h2>
<div class="table panel"><table><thead><tr><th scope="col">trial</th><th class="left" scope="col">verdict</th><th scope="col">speed-up</th><th scope="col">processes</th><th class="left" scope="col">variant</th></tr></thead><tbody>${rows.join('')}</tbody></table></div></section>`;
}

function importanceBars({ importance }: Study): Figure | undefined {
  if (importance === undefined) return undefined;
  const bars = [
    ...importance.parameters,
    ...importance.pairs.map(({ names, share }) => ({ name: names.join(' × '), share })),
  ].map(({ name, share }) => ({ name, value: share, text: percentOf(share) }));
  return namedBars(bars, 'Share of the variance of log time by tunable and by pair');
}

function importanceSection(study: Study): string {
  const { importance } = study;
  if (importance === undefined) return '';
  const note = `<p class="quiet">By ${htmlText(importance.method)}, over ${importance.trials} trials; it explains ${percentOf(Math.max(0, importance.explained))} of the variance of trials it did not see. A pair's share is what both do beyond their own.</p>`;
  return figure('What the time depends on', importanceBars(study), note);
}

function rejectionBars(study: Study): Figure | undefined {
  const bars = rejectionRows(study).map(({ reason, count }) => ({
    name: reason,
    value: count,
    text: String(count),
  }));
  return namedBars(bars, 'Rejected trials by reason');
}

function rejectionSection(study: Study): string {
  const rows = rejectionRows(study);
  if (rows.length === 0) return '';
  const items = rows.map(
    ({ reason, meaning, example }) =>
      `<li><b>${reason}</b>: ${htmlText(meaning)}. First: ${htmlText(example.slice(0, 300))}</li>`,
  );
  return figure('Rejections', rejectionBars(study), `<ul class="notices">${items.join('')}</ul>`);
}

function throughputSection({ throughput, notes }: Study): string {
  const pairs = [
    ['trials a minute', throughput.trials_per_minute.toFixed(1)],
    ['device measuring', percentOf(throughput.measuring_share)],
    ['search', formatDuration(1000 * throughput.search_s)],
    ['builds, one by one', formatDuration(1000 * throughput.building_s)],
    ['builds at once', `up to ${throughput.builds_at_once}`],
  ];
  return `<section><h2>How it went</h2><dl class="panel">${pairs.map(([term, text]) => `<div><dt>${term}</dt><dd>${htmlText(text!)}</dd></div>`).join('')}</dl>
${notes.map((note) => `<p>${htmlText(note)}</p>`).join('')}</section>`;
}

function trialSection({ trials }: Study): string {
  return `<section><h2>All trials</h2><div class="table panel"><table><thead><tr><th scope="col">#</th><th class="left" scope="col">phase</th><th scope="col">time</th><th class="left" scope="col">outcome</th><th class="left" scope="col">variant</th></tr></thead><tbody>${trials.map(trialRow).join('')}</tbody></table></div></section>`;
}

function trialRow({ number, phase, variant, outcome, same_binary_as }: Trial): string {
  const time = outcome?.status === 'measured' ? timeText(outcome.time_ms) : '';
  const said =
    outcome === undefined
      ? 'under way'
      : outcome.status === 'rejected'
        ? `${outcome.reason}: ${outcome.message.slice(0, 160)}`
        : outcome.stopped_early
          ? 'stopped early'
          : 'measured';
  const twin = same_binary_as === undefined ? '' : ` (the same program as trial ${same_binary_as})`;
  return `<tr><td>${number}</td><td class="left">${phase}</td><td>${htmlText(time)}</td><td class="variant">${htmlText(said + twin)}</td><td class="variant"><code>${htmlText(variantText(variant))}</code></td></tr>`;
}
