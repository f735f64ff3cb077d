import type { CheckReport } from '../model/check-report.ts';
import type { CaseComparison } from '../model/comparison.ts';
import { COMPARISON_COLUMNS, levelText } from './comparison-columns.ts';
import { comparisonNotices, isClockChange, nextSteps, ratchetNotes } from './comparison-notices.ts';
import type { CaseFigures } from './comparison-pictures.ts';
import { caseFigures, overviewFigure } from './comparison-pictures.ts';
import type { ComparedSamples } from './comparison-samples.ts';
import type { SectionId, Sections } from './comparison-sections.ts';
import { casesByUrgency, comparisonSections, lookOf, verdictSentence } from './comparison-sections.ts';
import { COMPARISON_STYLE } from './comparison-style.ts';
import type { CaseNames } from './comparison-text.ts';
import { caseNames, variantsText, VERDICT_LOOK } from './comparison-text.ts';
import { moneyText } from './cost-text.ts';
import { hostFacts } from './environment-facts.ts';
import { faultHtml } from './fault-html.ts';
import { htmlPage } from './html-page.ts';
import { htmlText } from './html-text.ts';
import { inlineFigure } from './svg/figure.ts';
import { formatDuration } from './units.ts';

/** The report as one file: no scripts, nothing fetched. With the samples it also shows what they looked like. */
export function renderComparisonHtml(report: CheckReport, samples?: ComparedSamples): string {
  const sections = comparisonSections(report);
  const names = caseNames(report.comparison.cases);
  const kind = report.baseline === undefined ? 'Comparison' : 'Ratchet';
  const figures = samples === undefined ? [] : caseFigures(report, samples);
  const parts = [
    bannerPart(report, sections, names),
    noticesPart(report, names),
    countsPart(sections),
    reasonsPart(report, sections, names),
    report.comparison.cases.length === 0 ? '' : overviewPart(report, sections, names),
    figuresPart(figures, sections, names),
    stepsPart(report, sections),
    environmentPart(report),
    readingPart(report),
  ];
  return htmlPage({
    title: [kind, report.verdict, names.shared].filter((part) => part !== '').join(' · '),
    style: COMPARISON_STYLE,
    parts,
  });
}

function bannerPart(report: CheckReport, sections: Sections, { shared }: CaseNames): string {
  const { verdict, hardware, commit, base_commit, cost } = report;
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['on', hardware],
    ['measured', shared === '' ? undefined : shared],
    ['variants', report.variants && variantsText(report.variants)],
    ['base', base_commit?.slice(0, 12)],
    ['commit', commit?.slice(0, 12)],
    ['took', cost === undefined ? undefined : formatDuration(1000 * cost.wall_s)],
    ['device time', cost?.device_s === undefined ? undefined : formatDuration(1000 * cost.device_s)],
    ['cost', cost?.money === undefined ? undefined : moneyText(cost.money)],
  ];
  const line = facts.flatMap(([name, value]) =>
    value === undefined ? [] : [`${name} <b>${htmlText(value)}</b>`],
  );
  return `<header>
<div class="banner verdict-${verdict}"><h1>${VERDICT_LOOK[verdict].mark} ${verdict}</h1><p>${htmlText(verdictSentence(report, sections))}</p></div>
<p class="facts">${line.join(' · ')}</p>
</header>`;
}

function noticesPart(report: CheckReport, names: CaseNames): string {
  const items = comparisonNotices(report, names).map(
    ({ tone, text }) => `<li class="${tone}">${htmlText(text)}</li>`,
  );
  return items.length === 0
    ? ''
    : `<section aria-label="notices"><ul class="notices">\n${items.join('\n')}\n</ul></section>`;
}

const COUNTED: readonly (readonly [SectionId, string, string])[] = [
  ['incorrect', 'incorrect', 'incorrect'],
  ['regressed', 'regressed', 'regressed'],
  ['undecided', 'undecided', 'undecided'],
  ['advanced', 'improved, baseline updated', 'improved'],
  ['improved', 'improved', 'improved'],
  ['waived', 'waived', 'undecided'],
  ['new', 'new', 'new'],
  ['maintained', 'unchanged', 'maintained'],
];

function countsPart(sections: Sections): string {
  const items = COUNTED.flatMap(([id, word, look]) =>
    sections[id].length === 0
      ? []
      : [`<li class="verdict-${look}"><b>${sections[id].length}</b>${word}</li>`],
  );
  return items.length === 0 ? '' : `<ul class="counts">${items.join('')}</ul>`;
}

function reasonsPart(report: CheckReport, sections: Sections, { nameOf }: CaseNames): string {
  const notesOf = ratchetNotes(report, sections);
  const shown = casesByUrgency({ ...sections, maintained: sections.maintained.filter(isClockChange) });
  const items = shown.map((one) => {
    const notes = notesOf(one).map((note) => `<br><span class="quiet">${htmlText(note)}</span>`);
    return `<li class="verdict-${one.verdict}"><b>${htmlText(nameOf(one))}</b> ${chip(one, sections)} ${htmlText(one.reason)}${notes.join('')}${one.fault === undefined ? '' : faultHtml(one.fault)}</li>`;
  });
  return items.length === 0
    ? ''
    : `<section><h2>What was found</h2><ul class="reasons">\n${items.join('\n')}\n</ul></section>`;
}

function chip(one: CaseComparison, sections: Sections): string {
  const { mark, word } = lookOf(one, sections);
  return `<span class="chip verdict-${one.verdict}">${mark} ${word}</span>`;
}

function overviewPart(report: CheckReport, sections: Sections, { nameOf }: CaseNames): string {
  const cases = casesByUrgency(sections);
  const head = COMPARISON_COLUMNS.map(({ header }) => `<th scope="col">${htmlText(header)}</th>`);
  const rows = cases.map((one) => {
    const cells = COMPARISON_COLUMNS.map(
      ({ id, cell }) => `<td${id === 'change' ? ' class="headline"' : ''}>${htmlText(cell(one))}</td>`,
    );
    return `<tr><td class="left case">${htmlText(nameOf(one))}</td><td class="left">${chip(one, sections)}</td>${cells.join('')}</tr>`;
  });
  return `<section><h2>Change of each case</h2>
<figure class="panel">${inlineFigure(overviewFigure(report))}</figure>
<div class="table panel"><table>
<thead><tr><th class="left" scope="col">case</th><th class="left" scope="col">verdict</th>${head.join('')}</tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table></div></section>`;
}

function figuresPart(figures: readonly CaseFigures[], sections: Sections, { nameOf }: CaseNames): string {
  const items = figures.map(
    ({ compared, distribution, drift }) => `<figure class="panel">
<figcaption><h3>${htmlText(nameOf(compared))}</h3>${chip(compared, sections)}</figcaption>
${inlineFigure(distribution)}
${inlineFigure(drift)}
</figure>`,
  );
  return items.length === 0 ? '' : `<section><h2>Samples and drift</h2>\n${items.join('\n')}\n</section>`;
}

function stepsPart(report: CheckReport, sections: Sections): string {
  const items = nextSteps(report, sections).map(
    ({ why, command }) => `<div><dt>${htmlText(why)}</dt><dd><code>${htmlText(command)}</code></dd></div>`,
  );
  return items.length === 0
    ? ''
    : `<section><h2>Next</h2><dl class="panel steps">${items.join('')}</dl></section>`;
}

function environmentPart({ environment, baseline }: CheckReport): string {
  const facts = [
    ...hostFacts({ environment, measurements: [] }),
    ...(baseline === undefined ? [] : [{ name: 'baseline', value: baseline.path }]),
  ];
  if (facts.length === 0) return '';
  const items = facts.map(
    ({ name, value }) => `<div><dt>${htmlText(name)}</dt><dd>${htmlText(value)}</dd></div>`,
  );
  return `<section><h2>Environment</h2><dl class="panel">${items.join('')}</dl></section>`;
}

function readingPart({ comparison }: CheckReport): string {
  const { thresholds, error_rates, correction, cases } = comparison;
  const level = levelText(cases);
  const correctionText =
    correction === 'none'
      ? 'not corrected for the number of cases'
      : `corrected for the number of cases (${correction})`;
  return `<section><h2>How to read this</h2>
<p class="quiet">Positive is faster. A case is judged by where the interval of its change lies: a slowdown of ${thresholds.regression_pct} % fails, a gain of ${thresholds.improvement_pct} % is an improvement, and <i>maintained</i> means that such a slowdown was excluded. Unchanged code is called regressed with a chance of at most ${100 * error_rates.false_alarm} %, code slower by the threshold maintained with at most ${100 * error_rates.miss} %; ${correctionText}. ${htmlText(level)} In the pictures of samples a row is a process, a dot a sample, the stroke the median of the process, and the dashed lines are the times that the verdict compares. In the pictures of drift the bars hold the middle 80 % of a process's samples. δ (Cliff) and p stand beside the verdict and do not make it.</p></section>`;
}
