import type { CostReport, CostRow, CostSum } from '../../model/device/cost.ts';
import { moneyText } from '../text/cost-text.ts';
import { painter } from './paint.ts';
import { displayWidth, padEnd, padStart, plainText, rowText, truncate } from '../text/plain-text.ts';
import { formatDuration } from '../text/units.ts';

const KEY_COLUMNS = 40;

/** What has no number, study or kernel. */
const NONE: Readonly<Record<CostReport['by'], string>> = {
  run: '',
  pr: '(no pull request)',
  study: '(no study)',
  month: '',
  kernel: '(no kernel)',
  device: '',
};

/** A row a group and their total. */
export function renderCost(
  report: CostReport,
  {
    color,
    columns = Number.POSITIVE_INFINITY,
  }: { readonly color: boolean; readonly columns?: number | undefined },
): string {
  const paint = painter(color);
  const { by, rows, total, unreadable, ledger } = report;
  const broken =
    unreadable === 0
      ? []
      : [
          `${paint('yellow', '!')} ${unreadable} line${unreadable === 1 ? '' : 's'} of ${ledger} cannot be read`,
        ];
  if (rows.length === 0) {
    const when = report.since === undefined ? '' : ` since ${report.since.slice(0, 10)}`;
    return `${[`No run is in ${ledger}${when}.`, ...broken].join('\n')}\n`;
  }
  const header = [by, 'when', 'runs', 'wall', 'device', 'money', 'what'];
  const cells = rows.map((row) =>
    [keyText(row, by), whenText(row, by)].concat(sumCells(row), plainText(row.what.join(', '))),
  );
  const last = ['total', '', ...sumCells(total), ''];
  const table = [header, ...cells, last];
  const widths = header.map((_, column) => Math.max(...table.map((row) => displayWidth(row[column] ?? ''))));
  const line = (row: readonly string[]): string =>
    rowText(
      row.map((cell, column) => (LEFT.includes(column) ? padEnd : padStart)(cell, widths[column] ?? 0)),
      columns,
    );
  return `${[
    paint('dim', line(header)),
    ...cells.map(line),
    paint('bold', line(last)),
    ...(total.unpriced_s === 0
      ? []
      : [
          paint(
            'dim',
            `${formatDuration(1000 * total.unpriced_s)} of device time has no price (docs/cost.md)`,
          ),
        ]),
    ...broken,
  ].join('\n')}\n`;
}

const LEFT = [0, 1, 6];

function keyText({ key }: CostRow, by: CostReport['by']): string {
  const text = key === undefined ? NONE[by] : plainText(key);
  return truncate(by === 'pr' && key !== undefined ? `#${text}` : text, KEY_COLUMNS);
}

/** In UTC, as months are. */
function whenText({ first_at, last_at }: CostRow, by: CostReport['by']): string {
  if (by === 'run') return last_at.slice(0, 16).replace('T', ' ');
  const [first, last] = [first_at.slice(0, 10), last_at.slice(0, 10)];
  return first === last ? first : `${first} – ${last}`;
}

function sumCells({ runs, wall_s, device_s, money }: CostSum): string[] {
  return [
    `${runs}`,
    formatDuration(1000 * wall_s),
    formatDuration(1000 * device_s),
    money.length === 0 ? '–' : money.map(moneyText).join(' + '),
  ];
}
