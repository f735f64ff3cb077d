import type { TensorCheck } from '../model/check.ts';
import { FUZZ_SOURCES } from '../model/fuzz-case.ts';
import type { FuzzedKernel, FuzzFailure, FuzzReport } from '../model/fuzz-report.ts';
import { BENCH_STYLE } from './bench-style.ts';
import {
  caseText,
  elementRows,
  explanationOf,
  failureTitle,
  kernelTitle,
  shownTensors,
  totalCounts,
} from './fuzz-text.ts';
import { htmlPage } from './html-page.ts';
import { htmlText } from './html-text.ts';
import { plainLines } from './plain-text.ts';
import { errorPlot } from './svg/error-plot.ts';
import { FIGURE_STYLE, inlineFigure } from './svg/figure.ts';
import { formatDuration, formatPercent } from './units.ts';

const STATES: Readonly<Record<FuzzedKernel['state'], readonly [text: string, kind: string]>> = {
  passed: ['✓ passed', 'passed'],
  failed: ['✗ failed', 'failed'],
  absent: ['not run', 'not-checked'],
};
const TITLES: Readonly<Record<FuzzReport['result'], string>> = {
  passed: 'Every case passed',
  failed: 'Cases failed',
  undecided: 'Not everything could run',
};
const OUTPUT_LINES = 20;
const STYLE = `.worst td { font-weight: 650; color: var(--bad); } .facts-list { margin: 8px 0; } .case { margin-top: 14px; padding: 14px 18px; }`;

/** The report as one file: no scripts, nothing fetched. */
export function renderFuzzHtml(report: FuzzReport): string {
  const failed = report.kernels.filter(({ failures }) => failures.length > 0);
  return htmlPage({
    title: `Fuzzing · ${TITLES[report.result]}`,
    style: `${BENCH_STYLE}${FIGURE_STYLE}${STYLE}`,
    parts: [
      `<header>
<h1>${TITLES[report.result]}</h1>
<p class="facts">${headFacts(report)}</p>
</header>`,
      kernelTable(report),
      ...failed.map(kernelSection),
      readingSection(report),
    ],
  });
}

function headFacts(report: FuzzReport): string {
  const commit =
    report.commit === undefined
      ? []
      : [`${report.commit.slice(0, 12)}${report.dirty === true ? ' + changes' : ''}`];
  const facts: (readonly [string, string])[] = [
    [
      'compared',
      report.subject === 'kernels'
        ? 'kernels with their oracles'
        : "the oracles' references with the oracles",
    ],
    ['seed', report.seed],
    ...commit.map((text) => ['commit', text] as const),
    ['started', report.started_at.replace('T', ' ').replace(/\.\d+Z$/u, ' UTC')],
    ['took', formatDuration(report.duration_s * 1000)],
    ...(report.incomplete === undefined ? [] : [['incomplete', report.incomplete] as const]),
  ];
  return facts.map(([name, value]) => `${name} <b>${htmlText(value)}</b>`).join(' · ');
}

function kernelTable({ kernels }: FuzzReport): string {
  const sources = FUZZ_SOURCES.filter((source) => kernels.some(({ counts }) => counts[source] !== undefined));
  const head = [
    '<th class="left" scope="col">kernel</th><th class="left" scope="col">result</th>',
    ...['passed', 'failed', 'left out', ...sources, 'worst error'].map(
      (name) => `<th scope="col">${name}</th>`,
    ),
    '<th class="left" scope="col">remarks</th>',
  ];
  const rows = kernels.map((kernel) => {
    const [text, kind] = STATES[kernel.state];
    const { passed, failed, skipped } = totalCounts(kernel);
    const bySource = sources.map((source) => {
      const own = kernel.counts[source];
      return own === undefined ? '' : String(own.passed + own.failed);
    });
    const worst = kernel.worst === undefined ? '' : `${formatPercent(kernel.worst.share * 100)} %`;
    const numbers = [passed, failed, skipped, ...bySource, worst].map((cell) => `<td>${cell}</td>`);
    return `<tr><td class="left">${htmlText(kernelTitle(kernel))}</td><td class="left ${kind}">${text}</td>${numbers.join('')}<td class="left" style="white-space:normal">${remarks(kernel)}</td></tr>`;
  });
  return `<div class="table panel"><table>
<thead><tr>${head.join('')}</tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table></div>`;
}

function remarks({ absence, stopped, notes, worst }: FuzzedKernel): string {
  const lines = [
    ...(absence === undefined
      ? []
      : [absence.message, ...(absence.hint === undefined ? [] : [`→ ${absence.hint}`])]),
    ...(stopped === undefined ? [] : [`stopped: ${stopped}`]),
    ...notes,
    ...(worst === undefined
      ? []
      : [`closest to its tolerance: ${worst.tensor}[${worst.index.join(', ')}] in ${caseText(worst.case)}`]),
  ];
  return lines.map(htmlText).join('<br>');
}

function kernelSection(kernel: FuzzedKernel): string {
  return `<section>
<h2>${htmlText(kernelTitle(kernel))}</h2>
${kernel.failures.map(failureArticle).join('\n')}
</section>`;
}

function failureArticle(failure: FuzzFailure): string {
  const { message, shrunk, case: original, source, name, repeats, alone, saved, replay } = failure;
  const explanation = explanationOf(failure.detector);
  const facts: (readonly [string, string])[] = [
    ['smallest case', caseText(shrunk)],
    ['found as', `${source}${name === undefined ? '' : ` ${name}`}: ${caseText(original)}`],
    ['attempts to make it smaller', String(failure.shrink_attempts)],
    ['further cases that failed so', String(repeats)],
    ['in a process of its own', alone ? 'fails too' : 'does not fail: other cases came before it'],
    ['corpus', saved ? 'saved by this run' : 'not saved by this run'],
  ];
  return `<article class="panel case">
<h3><span class="failed">${htmlText(failureTitle(failure))}</span> <span class="quiet">${htmlText(explanation)}</span></h3>
<p>${htmlText(message)}</p>
<pre>${htmlText(replay)}</pre>
<dl>${facts.map(([term, text]) => `<div><dt>${term}</dt><dd>${htmlText(text)}</dd></div>`).join('')}</dl>
${shownTensors(failure).map(tensorFigure).join('\n')}
${otherFindings(failure)}
${outputBlock(failure.output)}
</article>`;
}

function tensorFigure(tensor: TensorCheck): string {
  const rows = elementRows(tensor).map(
    ({ index, got, want, error, isWorst }) =>
      `<tr${isWorst ? ' class="worst"' : ''}><td class="left">${htmlText(index)}</td><td>${got}</td><td>${want}</td><td>${error}</td></tr>`,
  );
  const table =
    rows.length === 0
      ? ''
      : `<div class="table"><table><thead><tr><th class="left" scope="col">${htmlText(tensor.name)}</th><th scope="col">got</th><th scope="col">right</th><th scope="col">error</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
  const plot = errorPlot(tensor);
  return `${table}${plot === undefined ? '' : inlineFigure(plot)}`;
}

function otherFindings({ check, detector, tensor }: FuzzFailure): string {
  const others = (check?.tampering ?? []).filter(
    (each) => each.detector !== detector || each.tensor !== tensor,
  );
  if (others.length === 0) return '';
  const items = others.map(
    (each) => `<li><b>${htmlText(failureTitle(each))}</b>: ${htmlText(each.message)}</li>`,
  );
  return `<ul class="notices">${items.join('')}</ul>`;
}

function outputBlock(output: string | undefined): string {
  const lines = plainLines(output ?? '', OUTPUT_LINES).map(htmlText);
  return lines.length === 0
    ? ''
    : `<details><summary>What it printed</summary><pre>${lines.join('\n')}</pre></details>`;
}

function readingSection({ seed }: FuzzReport): string {
  return `<section><h2>How to read this</h2>
<p class="quiet">Cases come from the corpus of earlier failures, the declared matrix, edge cases and named cases, and a generator; <code>--seed ${htmlText(seed)}</code> draws the same ones again. A failure is made as small as it goes while it stays the same failure. <i>worst error</i> is the largest error of all cases that passed, as a share of its tolerance.</p></section>`;
}
