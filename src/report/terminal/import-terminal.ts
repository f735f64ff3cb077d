import type { ImportNote, ImportReport } from '../../model/reports/import-report.ts';
import { painter } from './paint.ts';
import { plainText, wrap } from '../text/plain-text.ts';

const MARKS: Readonly<
  Record<ImportNote['kind'], { readonly sign: string; readonly style: 'dim' | 'yellow' }>
> = {
  unit: { sign: '·', style: 'dim' },
  dropped: { sign: '−', style: 'yellow' },
  doubt: { sign: '?', style: 'yellow' },
};

/** What an import understood, what it left out and what cannot be concluded. */
export function renderImport(
  report: ImportReport,
  { color = false, columns = 100 }: { readonly color?: boolean; readonly columns?: number } = {},
): string {
  const paint = painter(color);
  const item = (sign: string, style: 'dim' | 'yellow', text: string): string[] =>
    wrap(plainText(text), Math.max(30, columns - 6)).map((line, at) =>
      at === 0 ? `    ${paint(style, sign)} ${line}` : `      ${line}`,
    );
  const files = report.files.flatMap(({ file, format, measurements, samples, processes, notes }) => [
    `  ${paint('bold', plainText(file))}  ${format}: ${counted(measurements, 'measurement')}, ${counted(samples, 'sample')}${processesText(processes)}`,
    ...notes.flatMap(({ kind, text }) => item(MARKS[kind].sign, MARKS[kind].style, text)),
  ]);
  const { measurements, series, samples, summaries, out } = report;
  return `${[
    paint('bold', 'Read'),
    ...files,
    '',
    `${paint('bold', 'Result')}  ${counted(measurements, 'measurement')}: ${counted(series, 'series', 'series')} of ${counted(samples, 'sample')}${summaries === 0 ? '' : `, ${counted(summaries, 'summary', 'summaries')} without samples`}`,
    ...(report.limits.length === 0 ? [] : ['', paint('bold', 'What cannot be concluded')]),
    ...report.limits.flatMap((text) => item('!', 'yellow', text)),
    '',
    out === undefined ? 'Nothing was written: give a file with -o.' : `Written to ${plainText(out)}`,
  ].join('\n')}\n`;
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

function processesText(processes: readonly number[]): string {
  const [first] = processes;
  const last = processes.at(-1);
  if (first === undefined || last === undefined) return '';
  return first === last ? `, process ${first}` : `, processes ${first} to ${last}`;
}
