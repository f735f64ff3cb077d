import type { VerifiedTensor } from '../../model/correctness/verification.ts';
import type { FuzzedKernel, FuzzFailure, FuzzReport } from '../../model/correctness/fuzz-report.ts';
import { costText } from '../text/cost-text.ts';
import {
  caseText,
  elementRows,
  errorBins,
  explanationOf,
  failureTitle,
  kernelTitle,
  shownTensors,
  sourcesText,
  totalCounts,
} from '../text/fuzz-text.ts';
import { painter, type Paint } from './paint.ts';
import { displayWidth, padEnd, padStart, plainLines, plainText, wrap } from '../text/plain-text.ts';
import { formatDuration, formatPercent } from '../text/units.ts';

export interface FuzzTerminalOptions {
  readonly color: boolean;
  readonly columns: number;
}

const BAR_CELLS = 30;
const OUTPUT_LINES = 8;
const INDENT = '    ';

/** A line for a kernel that is right; for one that is not, all that is known about each way in which it fails. */
export function renderFuzzTerminal(report: FuzzReport, { color, columns }: FuzzTerminalOptions): string {
  const paint = painter(color);
  const width = Math.max(0, ...report.kernels.map((kernel) => displayWidth(plainText(kernelTitle(kernel)))));
  const lines = report.kernels.flatMap((kernel) => kernelLines(kernel, width, columns, paint));
  const closing = [
    `seed ${report.seed}`,
    ...(report.cost === undefined ? [] : [`took ${plainText(costText(report.cost))}`]),
    ...(report.incomplete === undefined ? [] : [plainText(report.incomplete)]),
  ].join(' · ');
  return `${[...lines, paint('dim', closing)].join('\n')}\n`;
}

function kernelLines(kernel: FuzzedKernel, width: number, columns: number, paint: Paint): string[] {
  const name = padEnd(plainText(kernelTitle(kernel)), width);
  if (kernel.state === 'absent') {
    const { message = 'nothing could run', hint } = kernel.absence ?? {};
    const [first = '', ...more] = plainLines(message, 12);
    return [
      `${paint('yellow', '–')} ${name}  not run: ${first}`,
      ...more.map((line) => `${INDENT}${line}`),
      ...(hint === undefined ? [] : [`${INDENT}${paint('dim', `→ ${plainText(hint)}`)}`]),
    ];
  }
  const { passed, failed, skipped } = totalCounts(kernel);
  const parts = [
    failed === 0 ? `${passed} cases passed` : `${failed} of ${passed + failed} cases failed`,
    sourcesText(kernel),
    ...(skipped === 0 ? [] : [`${skipped} left out`]),
    ...worstText(kernel),
    ...(kernel.stopped === undefined ? [] : [`stopped: ${plainText(kernel.stopped)}`]),
    formatDuration(kernel.duration_s * 1000),
  ];
  const mark = failed === 0 ? paint('green', '✓') : paint('red', '✗');
  const notes = kernel.notes.flatMap((note) =>
    indented(plainText(note), columns).map((line) => paint('dim', line)),
  );
  return [
    `${mark} ${paint('bold', name)}  ${parts.join(' · ')}`,
    ...notes,
    ...kernel.failures.flatMap((failure) => ['', ...failureLines(failure, columns, paint)]),
    ...(kernel.failures.length === 0 ? [] : ['']),
  ];
}

function worstText({ worst }: FuzzedKernel): string[] {
  return worst === undefined ? [] : [`worst error ${formatPercent(worst.share * 100)} % of the tolerance`];
}

function failureLines(failure: FuzzFailure, columns: number, paint: Paint): string[] {
  const { message, shrunk, case: original, repeats, alone, replay, saved } = failure;
  const explanation = explanationOf(failure.detector);
  const isSmaller = caseText(shrunk) !== caseText(original);
  const facts: (readonly [string, string])[] = [
    ['case', caseText(shrunk)],
    ...(isSmaller ? ([['found as', `${failure.source} ${caseText(original)}`]] as const) : []),
    ...(repeats === 0 ? [] : ([['also in', `${repeats} more case${repeats === 1 ? '' : 's'}`]] as const)),
    ...(alone ? [] : ([['note', 'fails only after other cases in the same process']] as const)),
    ['again', replay],
    ...(saved ? ([['saved', 'in the corpus: replayed first from now on']] as const) : []),
  ];
  return [
    `  ${paint('red', plainText(failureTitle(failure)))}${explanation === '' ? '' : paint('dim', `: ${explanation}`)}`,
    ...indented(plainText(message), columns),
    // Not wrapped: it is there to be copied.
    ...facts.map(([name, text]) => `${INDENT}${paint('dim', padEnd(name, 9))}${plainText(text)}`),
    ...shownTensors(failure).flatMap((tensor) => tensorLines(tensor, paint)),
    ...outputLines(failure.output, paint),
  ];
}

function indented(text: string, columns: number): string[] {
  return wrap(text, Math.max(40, columns - INDENT.length)).map((line) => `${INDENT}${line}`);
}

function tensorLines(tensor: VerifiedTensor, paint: Paint): string[] {
  return [...elementTable(tensor, paint), ...histogram(tensor, paint)];
}

function elementTable(tensor: VerifiedTensor, paint: Paint): string[] {
  const rows = elementRows(tensor);
  if (rows.length === 0) return [];
  const keys = ['index', 'got', 'want', 'error'] as const;
  const header = { index: plainText(tensor.name), got: 'got', want: 'right', error: 'error', isWorst: false };
  const widths = keys.map((key) => Math.max(...[header, ...rows].map((row) => displayWidth(row[key]))));
  const text = (row: (typeof rows)[number]) =>
    keys
      .map((key, at) => (key === 'index' ? padEnd(row[key], widths[at]!) : padStart(row[key], widths[at]!)))
      .join('  ');
  return [
    `${INDENT}  ${paint('dim', text(header))}`,
    ...rows.map((row) => `${INDENT}${row.isWorst ? paint('red', '▸') : ' '} ${text(row)}`),
  ];
}

function histogram(tensor: VerifiedTensor, paint: Paint): string[] {
  const bins = errorBins(tensor);
  if (bins.length === 0) return [];
  const highest = Math.max(1, ...bins.map(({ count }) => Math.log10(1 + count)));
  const label = Math.max(...bins.map((bin) => bin.label.length));
  return [
    `${INDENT}  ${paint('dim', 'errors (bars in decades)')}`,
    ...bins.map(({ label: name, count }) => {
      const cells = Math.round((Math.log10(1 + count) / highest) * BAR_CELLS);
      const bar = paint('cyan', '█'.repeat(count === 0 ? 0 : Math.max(1, cells)));
      return `${INDENT}  ${padStart(name, label)} ${bar} ${count}`;
    }),
  ];
}

function outputLines(output: string | undefined, paint: Paint): string[] {
  const lines = plainLines(output ?? '', OUTPUT_LINES);
  if (lines.length === 0) return [];
  return [`${INDENT}${paint('dim', 'it printed')}`, ...lines.map((line) => `${INDENT}  ${line}`)];
}
