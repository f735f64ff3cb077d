import type { BenchMeasurement, BenchReport } from '../model/bench-report.ts';
import { faultText, lostText } from '../model/fault.ts';
import type { Samples } from '../model/samples.ts';
import type { Column } from './bench-columns.ts';
import { benchColumns } from './bench-columns.ts';
import type { BenchGroup } from './bench-groups.ts';
import { benchGroups, gatheredWarnings, subjectText, unmeasuredText } from './bench-groups.ts';
import { BENCH_STYLE } from './bench-style.ts';
import type { Fact } from './environment-facts.ts';
import { deviceFacts, hostFacts } from './environment-facts.ts';
import { faultHtml } from './fault-html.ts';
import { htmlPage } from './html-page.ts';
import { htmlText } from './html-text.ts';
import { plainLines } from './plain-text.ts';
import { miniHistogram } from './svg/mini-histogram.ts';
import { stripPlot } from './svg/strip-plot.ts';

const CHECK_WORDS: Readonly<Record<BenchMeasurement['check'], string>> = {
  passed: '✓ right',
  failed: '✗ wrong',
  'not-checked': 'not checked',
};

/** The report as one file: no scripts, nothing fetched. `samples` are those that the report was made of. */
export function renderBenchHtml(report: BenchReport, samples: Samples): string {
  const groups = benchGroups(report);
  const device = deviceFacts(report);
  const title = ['Benchmark', ...new Set(groups.map(({ kernel }) => kernel))].join(' · ');
  const headline = [
    ...device.slice(1).filter(({ name }) => name !== 'UUID'),
    ...hostFacts(report).filter(({ name }) => HEADLINE.has(name)),
  ];
  return htmlPage({
    title,
    style: BENCH_STYLE,
    parts: [
      `<header>
<h1>${htmlText(device[0]?.value ?? 'Benchmark')}</h1>
<p class="facts">${factsLine(headline)}</p>
</header>`,
      noticesSection(report),
      ...(groups.length === 0
        ? ['<p>Nothing was measured.</p>']
        : groups.map((group) => groupSection(group, report, samples))),
      faultsSection(report),
      lostSection(report),
      environmentSection(report),
      readingSection(report),
    ],
  });
}

const HEADLINE = new Set(['commit', 'host', 'started', 'took']);

function factsLine(facts: readonly Fact[]): string {
  return facts.map(({ name, value }) => `${name} <b>${htmlText(value)}</b>`).join(' · ');
}

function noticesSection(report: BenchReport): string {
  const warnings = gatheredWarnings(report);
  const items = warnings.map(({ kind, message, remedy, subjects }, index) => {
    const bad = kind === 'incorrect' || kind === 'lost-series' ? ' class="bad"' : '';
    const about = subjects.length === 0 ? '' : `<b>${subjects.map(htmlText).join(', ')}</b>: `;
    // One remedy serves all the warnings that ask for it.
    const last = warnings[index + 1]?.remedy !== remedy;
    const cure = remedy !== undefined && last ? `<br><span class="quiet">→ ${htmlText(remedy)}</span>` : '';
    return `<li${bad}>${about}${htmlText(message)}${cure}</li>`;
  });
  if (items.length === 0) return '';
  return `<section aria-label="warnings"><ul class="notices">\n${items.join('\n')}\n</ul></section>`;
}

function groupSection(group: BenchGroup, report: BenchReport, samples: Samples): string {
  const words = [group.mode, group.device].filter((word) => word !== undefined).map(htmlText);
  const aside = words.length === 0 ? '' : ` <small>${words.join(' · ')}</small>`;
  const variant =
    group.variant === '' ? '' : `<p><code>${htmlText(group.variant.replaceAll(',', '  '))}</code></p>`;
  const figures = group.measurements.map((one) => figure(one, group, report, samples));
  return `<section>
<h2>${htmlText(group.kernel)}${aside}</h2>
${variant}
${groupTable(group, report)}
${figures.join('\n')}
${builtFrom(group)}
</section>`;
}

function groupTable(group: BenchGroup, report: BenchReport): string {
  const columns = benchColumns(group, report).filter(
    ({ id }) => id !== 'plus-minus' && (id !== 'mode' || group.mode === undefined),
  );
  const header = columns.map(
    ({ header, align }) => `<th class="${align}" scope="col">${htmlText(header)}</th>`,
  );
  header.splice(
    1,
    0,
    '<th class="left" scope="col">result</th>',
    '<th class="left" scope="col">distribution</th>',
  );
  const rows = group.measurements.map((one) => tableRow(one, columns, report));
  return `<div class="table panel"><table>
<thead><tr>${header.join('')}</tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table></div>`;
}

function tableRow(one: BenchMeasurement, columns: readonly Column[], { thresholds }: BenchReport): string {
  const [first, ...rest] = columns.map(({ id, align, cell }) => {
    const noisy = id === 'cv' && one.state === 'measured' && (one.cv_pct ?? 0) > thresholds.cv_pct;
    const classes = [align, ...(id === 'median' ? ['headline'] : []), ...(noisy ? ['noisy'] : [])];
    return `<td class="${classes.join(' ')}">${htmlText(cell(one))}</td>`;
  });
  const result = one.state === 'unmeasured' ? unmeasuredText(one) : CHECK_WORDS[one.check];
  const state = one.state === 'unmeasured' ? 'failed' : one.check;
  const picture = one.state === 'measured' ? miniHistogram(one) : '';
  return `<tr>${first!}<td class="left ${state}">${result}</td><td class="left">${picture}</td>${rest.join('')}</tr>`;
}

function figure(one: BenchMeasurement, group: BenchGroup, report: BenchReport, samples: Samples): string {
  if (one.state === 'unmeasured') return '';
  const { series } = samples.measurements[report.measurements.indexOf(one)]!;
  const dims = Object.entries(one.dims ?? {}).map(([name, value]) => `${htmlText(name)}=${value}`);
  const mode = group.mode === undefined && one.mode !== undefined ? ` ${one.mode}` : '';
  const method =
    one.ci_method === 'hierarchical'
      ? 'interval over processes and samples'
      : 'interval over the samples of one process';
  const throttled = one.throttled === 0 ? '' : `<span>${one.throttled} throttled samples left out</span>`;
  const notes = one.notes.map((note) => `<p class="quiet">${htmlText(note)}</p>`);
  return `<figure class="panel">
<figcaption><h3>${htmlText(one.case)}${mode}</h3><span class="quiet">${dims.join(' ')}</span><span class="quiet">${method}</span>${throttled}</figcaption>
${stripPlot(one, series)}
${notes.join('\n')}
</figure>`;
}

/** What was built, from what, with what: the same for all cases of a variant. */
function builtFrom({ measurements }: BenchGroup): string {
  const { binary, versions } = measurements[0]!;
  const facts: Fact[] = [
    ...(binary === undefined ? [] : [{ name: 'SHA-256', value: binary.sha256 }]),
    ...Object.entries({
      toolchain: binary?.toolchain,
      compiler: binary?.compiler,
      flags: binary?.flags?.join(' '),
      architecture: binary?.arch,
      ...versions,
    }).flatMap(([name, value]) => (value === undefined || value === '' ? [] : { name, value })),
  ];
  if (facts.length === 0) return '';
  return `<details><summary>What was built and loaded</summary>${definitionList(facts)}</details>`;
}

function faultsSection({ measurements }: BenchReport): string {
  const items = measurements.flatMap((one) =>
    one.fault === undefined
      ? []
      : [
          `<li class="bad"><b>${htmlText(subjectText(one))}</b>: ${htmlText(faultText(one.fault))}\n${faultHtml(one.fault)}</li>`,
        ],
  );
  return items.length === 0
    ? ''
    : `<section><h2>Incorrect</h2><ul class="notices">\n${items.join('\n')}\n</ul></section>`;
}

function lostSection({ measurements }: BenchReport): string {
  const items = measurements.flatMap((measurement) =>
    measurement.lost.map((lost) => {
      const { process, reason, output } = lost;
      const said = plainLines(output ?? '', 20)
        .map(htmlText)
        .join('\n');
      const what = `<b>${htmlText(subjectText(measurement))}</b>, process ${process}: ${htmlText(reason)}: ${htmlText(lostText(lost))}`;
      return `<li class="bad">${what}${said === '' ? '' : `<pre>${said}</pre>`}</li>`;
    }),
  );
  return items.length === 0
    ? ''
    : `<section><h2>Lost series</h2><ul class="notices">\n${items.join('\n')}\n</ul></section>`;
}

function environmentSection(report: BenchReport): string {
  const facts = [...deviceFacts(report), ...hostFacts(report)];
  return facts.length === 0 ? '' : `<section><h2>Environment</h2>${definitionList(facts)}</section>`;
}

function definitionList(facts: readonly Fact[]): string {
  const items = facts.map(
    ({ name, value }) => `<div><dt>${htmlText(name)}</dt><dd>${htmlText(value)}</dd></div>`,
  );
  return `<dl class="panel">${items.join('')}</dl>`;
}

function readingSection({ interval }: BenchReport): string {
  const confidence = Math.round(100 * interval.confidence);
  return `<section><h2>How to read this</h2>
<p class="quiet">A dot is a sample; a row is a fresh process, its first sample at the top. The orange stroke is the median of the process, the dashed line the median of those medians, and the band its ${confidence} % bootstrap interval (${interval.resamples.toLocaleString('en')} resamples, seed ${interval.seed}), which draws processes first and then samples within them. Samples far out of the picture (beyond three interquartile ranges) are counted at the right, and are in every number of the table. <i>between</i> is the spread of the process medians (Qn) over the median.</p></section>`;
}
