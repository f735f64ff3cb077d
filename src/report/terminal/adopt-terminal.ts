import type { AdoptReport } from '../../model/reports/adopt-report.ts';
import { renderBenchTerminal } from './bench-terminal.ts';
import { painter } from './paint.ts';
import { plainText, wrap } from '../text/plain-text.ts';

interface AdoptRendering {
  readonly color?: boolean;
  readonly columns?: number;
  /** Where its reader is. */
  readonly cwd?: string;
}

/** What was found, assumed and written; with `--run`, what was measured. */
export function renderAdopt(
  report: AdoptReport,
  { color = false, columns = 100, cwd }: AdoptRendering = {},
): string {
  const paint = painter(color);
  const item = (text: string): string[] =>
    wrap(plainText(text), Math.max(30, columns - 4)).map((line, at) => `  ${at === 0 ? '·' : ' '} ${line}`);
  const { adopted, path, dims, tensors, assumed, missing, files, out, run } = report;
  const width = Math.max(0, ...tensors.map(({ name }) => name.length));
  const found = tensors.map(
    ({ name, role, dtype, shape, strides }) =>
      `  ${name.padEnd(width)}  ${role.padEnd(6)}  ${dtype.padEnd(4)}  ${shape === undefined ? '?' : `[${shape.join(', ')}]`}${strides === undefined ? '' : `, strides [${strides.join(', ')}]`}`,
  );
  const shown = files.flatMap(({ path: name, state, text }) => [
    `${WORDS[state]}  ${plainText(name)}`,
    ...(text === undefined ? [] : [text]),
  ]);
  return `${[
    `${paint('bold', plainText(adopted))} of ${plainText(path)}${dims.length === 0 ? '' : `, dimensions ${dims.join(', ')}`}`,
    ...found,
    ...(assumed.length === 0 ? [] : ['', paint('bold', 'Assumed')]),
    ...assumed.flatMap(({ text }) => item(text)),
    ...(missing.length === 0 ? [] : ['', paint('yellow', 'Not known')]),
    ...missing.flatMap(({ name, option }) =>
      item(`the shape of ${name}: give ${option}, or replace the TODO in pawl.yaml`),
    ),
    ...(shown.length === 0 ? [] : ['', ...shown]),
    ...(out === undefined || missing.length > 0 || files.some(({ state }) => state === 'shown')
      ? []
      : ['', `Next: ${out === cwd ? '' : `cd ${plainText(out)} && `}pawl bench`]),
    ...(run === undefined ? [] : ['', renderBenchTerminal(run.report, { color, columns }).trimEnd()]),
  ].join('\n')}\n`;
}

const WORDS = { written: 'wrote', same: 'kept ', shown: 'would write' } as const;
