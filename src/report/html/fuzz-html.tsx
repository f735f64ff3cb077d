import type { VerifiedTensor } from '../../model/correctness/verification.ts';
import { FUZZ_SOURCES } from '../../model/problem/fuzz-case.ts';
import type { FuzzedKernel, FuzzFailure, FuzzReport } from '../../model/correctness/fuzz-report.ts';
import { BENCH_STYLE } from './bench-style.ts';
import {
  caseText,
  elementRows,
  explanationOf,
  failureTitle,
  kernelTitle,
  shownTensors,
  totalCounts,
} from '../text/fuzz-text.ts';
import { htmlPage } from './html-page.tsx';
import { DataTable, Facts, FactsLine, separated } from './page-parts.tsx';
import { plainLines, plainText } from '../text/plain-text.ts';
import { errorPlot } from '../svg/error-plot.tsx';
import { FIGURE_STYLE } from '../svg/figure-style.ts';
import { InlineFigure } from '../svg/figure.tsx';
import { formatDuration, formatPercent } from '../text/units.ts';

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
  return htmlPage({
    title: `Fuzzing · ${TITLES[report.result]}`,
    style: `${BENCH_STYLE}${FIGURE_STYLE}${STYLE}`,
    body: (
      <>
        <header>
          <h1>{TITLES[report.result]}</h1>
          <FactsLine facts={headFacts(report)} />
        </header>
        <Kernels report={report} />
        {report.kernels
          .filter(({ failures }) => failures.length > 0)
          .map((kernel) => (
            <section>
              <h2>{kernelTitle(kernel)}</h2>
              {kernel.failures.map((failure) => (
                <Failure failure={failure} />
              ))}
            </section>
          ))}
        <section>
          <h2>How to read this</h2>
          <p class="quiet">
            Cases come from the corpus of earlier failures, the declared matrix, edge cases and named cases,
            and a generator; <code>--seed {report.seed}</code> draws the same ones again. A failing case is
            shrunk as long as it fails in the same way. <i>worst error</i> is the largest error of all cases
            that passed, as a share of its tolerance.
          </p>
        </section>
      </>
    ),
  });
}

function headFacts(report: FuzzReport): (readonly [string, string | undefined])[] {
  const { commit, dirty } = report;
  return [
    [
      'compared',
      report.subject === 'kernels'
        ? 'kernels with their oracles'
        : "the oracles' references with the oracles",
    ],
    ['seed', report.seed],
    ['commit', commit && `${commit.slice(0, 12)}${dirty === true ? ' + changes' : ''}`],
    ['started', report.started_at.replace('T', ' ').replace(/\.\d+Z$/u, ' UTC')],
    ['took', formatDuration(report.duration_s * 1000)],
    ['incomplete', report.incomplete],
  ];
}

function Kernels({ report: { kernels } }: { readonly report: FuzzReport }) {
  const sources = FUZZ_SOURCES.filter((source) => kernels.some(({ counts }) => counts[source] !== undefined));
  const numbers = ['passed', 'failed', 'left out', ...sources, 'worst error'];
  return (
    <DataTable
      columns={[
        ['kernel', 'left'],
        ['result', 'left'],
        ...numbers.map((name) => [name] as const),
        ['remarks', 'left'],
      ]}
    >
      {kernels.map((kernel) => {
        const [text, kind] = STATES[kernel.state];
        const { passed, failed, skipped } = totalCounts(kernel);
        const bySource = sources.map((source) => {
          const own = kernel.counts[source];
          return own && own.passed + own.failed;
        });
        const worst = kernel.worst && `${formatPercent(kernel.worst.share * 100)} %`;
        return (
          <tr>
            <td class="left">{kernelTitle(kernel)}</td>
            <td class={`left ${kind}`}>{text}</td>
            {[passed, failed, skipped, ...bySource, worst].map((cell) => (
              <td>{cell}</td>
            ))}
            <td class="left" style="white-space:normal">
              {separated(remarks(kernel), <br />)}
            </td>
          </tr>
        );
      })}
    </DataTable>
  );
}

function remarks({ absence, stopped, notes, worst }: FuzzedKernel): string[] {
  return [
    ...(absence === undefined
      ? []
      : [absence.message, ...(absence.hint === undefined ? [] : [`→ ${absence.hint}`])]),
    ...(stopped === undefined ? [] : [`stopped: ${stopped}`]),
    ...notes,
    ...(worst === undefined
      ? []
      : [`closest to its tolerance: ${worst.tensor}[${worst.index.join(', ')}] in ${caseText(worst.case)}`]),
  ];
}

interface Failed {
  readonly failure: FuzzFailure;
}

function Failure({ failure }: Failed) {
  const { message, shrunk, case: original, source, name, repeats, alone, saved, replay } = failure;
  return (
    <article class="panel case">
      <h3>
        <span class="failed">{failureTitle(failure)}</span>{' '}
        <span class="quiet">{explanationOf(failure.detector)}</span>
      </h3>
      <p>{message}</p>
      <pre>{plainText(replay)}</pre>
      <Facts
        class=""
        facts={[
          ['smallest case', caseText(shrunk)],
          ['found as', `${source}${name === undefined ? '' : ` ${name}`}: ${caseText(original)}`],
          ['attempts to shrink it', failure.shrink_attempts],
          ['other cases that failed in this way', repeats],
          ['alone in a process', alone ? 'fails too' : 'does not fail: it fails only after other cases'],
          ['corpus', saved ? 'saved by this run' : 'not saved by this run'],
        ]}
      />
      {shownTensors(failure).map((tensor) => (
        <Tensor tensor={tensor} />
      ))}
      <OtherFindings failure={failure} />
      <Output failure={failure} />
    </article>
  );
}

function Tensor({ tensor }: { readonly tensor: VerifiedTensor }) {
  const rows = elementRows(tensor);
  const plot = errorPlot(tensor);
  return (
    <>
      {rows.length > 0 && (
        <DataTable class="table" columns={[[tensor.name, 'left'], ['got'], ['right'], ['error']]}>
          {rows.map(({ index, got, want, error, isWorst }) => (
            <tr class={isWorst ? 'worst' : undefined}>
              <td class="left">{index}</td>
              <td>{got}</td>
              <td>{want}</td>
              <td>{error}</td>
            </tr>
          ))}
        </DataTable>
      )}
      {plot !== undefined && <InlineFigure figure={plot} />}
    </>
  );
}

function OtherFindings({ failure: { check, detector, tensor } }: Failed) {
  const others = (check?.tampering ?? []).filter(
    (each) => each.detector !== detector || each.tensor !== tensor,
  );
  if (others.length === 0) return null;
  return (
    <ul class="notices">
      {others.map((each) => (
        <li>
          <b>{failureTitle(each)}</b>: {each.message}
        </li>
      ))}
    </ul>
  );
}

function Output({ failure: { output } }: Failed) {
  const lines = plainLines(output ?? '', OUTPUT_LINES);
  if (lines.length === 0) return null;
  return (
    <details>
      <summary>What it printed</summary>
      <pre>{lines.join('\n')}</pre>
    </details>
  );
}
