import { caseLabel } from '../../model/judge/case-key.ts';
import type { CaseThreshold, ThresholdsReport } from '../../model/reports/thresholds-report.ts';
import { counted } from '../text/comparison-text.ts';
import { painter, TONE_STYLE, type Paint } from './paint.ts';
import { displayWidth, hanging, padEnd, padStart, plainText, truncate, wrap } from '../text/plain-text.ts';

interface TerminalOptions {
  readonly color: boolean;
  readonly columns: number;
}

const NARROWEST = 60;
const WIDEST = 120;
const GAP = '  ';

const LOOK = {
  fits: { mark: '✓', tone: 'good' },
  tighter: { mark: '▲', tone: 'good' },
  'too-noisy': { mark: '!', tone: 'warn' },
  beyond: { mark: '✗', tone: 'bad' },
  'too-few': { mark: '·', tone: 'plain' },
} as const;

/** A row per case, a sentence for those that cannot hold their threshold, and what to write into pawl.yaml. */
export function renderThresholdsTerminal(
  report: ThresholdsReport,
  { color, columns }: TerminalOptions,
): string {
  const width = Math.min(WIDEST, Math.max(NARROWEST, columns));
  const paint = painter(color);
  const noisy = report.cases.filter(({ state }) => state === 'too-noisy' || state === 'beyond');
  const few = report.cases.filter(({ state }) => state === 'too-few');
  const parts = [
    table(report, width, paint),
    noisy.flatMap((one) => hanging('! ', 2, noisyText(one, report), width)),
    few.length === 0 ? [] : hanging('· ', 2, fewText(few, report), width),
    proposal(report, paint),
    wrap(reading(report), width).map((line) => paint('dim', line)),
  ];
  return `${parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

const HEADER = ['case', 'device', 'processes', 'spread %', 'now %', 'smallest %'] as const;

function table({ cases }: ThresholdsReport, width: number, paint: Paint): string[] {
  const devices = new Set(cases.flatMap(({ device_class }) => device_class ?? []));
  const shown = HEADER.map((_, index) => index).filter((index) => index !== 1 || devices.size > 1);
  const rows = cases.map((one) => [
    plainText(caseLabel(one)),
    plainText(one.device_class ?? ''),
    String(one.processes),
    one.spread_pct === undefined ? '' : one.spread_pct.toFixed(2),
    String(one.threshold_pct),
    one.smallest_pct === undefined ? (one.state === 'beyond' ? 'none' : '') : String(one.smallest_pct),
  ]);
  const widthOf = (index: number): number =>
    Math.max(displayWidth(HEADER[index]!), ...rows.map((row) => displayWidth(row[index]!)));
  const line = (cells: readonly string[]): string =>
    shown
      .map((index) => (index < 2 ? padEnd : padStart)(cells[index]!, widthOf(index)))
      .join(GAP)
      .trimEnd();
  return [
    paint('dim', truncate(`  ${line(HEADER)}`, width)),
    ...cases.map(({ state }, index) => {
      const { mark, tone } = LOOK[state];
      return `${paint(TONE_STYLE[tone], mark)} ${truncate(line(rows[index]!), width - 2)}`;
    }),
  ];
}

function noisyText(one: CaseThreshold, { processes }: ThresholdsReport): string {
  const { rates, threshold_pct, smallest_pct, needs_processes } = one;
  const seen =
    rates === undefined
      ? ''
      : ` (with up to ${processes} processes per side, ${percent(rates.caught)} of such slowdowns are caught and up to ${percent(rates.undecided)} of runs are undecided)`;
  const ways = [
    ...(smallest_pct === undefined ? [] : [`a threshold of ${smallest_pct} %`]),
    needs_processes === undefined
      ? 'a quieter machine, since 96 processes per side are not enough'
      : `--processes ${needs_processes}`,
  ];
  return `${plainText(caseLabel(one))} is too noisy for ${threshold_pct} %${seen}. It needs ${ways.join(', or ')}.`;
}

function fewText(few: readonly CaseThreshold[], { least_processes }: ThresholdsReport): string {
  const names = few.map((one) => `${plainText(caseLabel(one))} (${one.processes})`);
  return `too few processes, ${least_processes} are needed: ${names.join(', ')}. Every pawl bench, compare and check adds some; pawl bench --processes ${least_processes} measures them at once.`;
}

function proposal({ proposed }: ThresholdsReport, paint: Paint): string[] {
  const entries = Object.entries(proposed);
  if (entries.length === 0) return [];
  return [
    paint('bold', 'For pawl.yaml:'),
    'thresholds:',
    '  cases:',
    ...entries.map(([name, { regression_pct }]) => `    ${name}: { regression_pct: ${regression_pct} }`),
  ];
}

function reading({ promised, processes, runs, source, cases }: ThresholdsReport): string {
  return `spread: half the range of the middle 68 % of the processes. smallest: ${percent(promised.caught)} of slowdowns of that size are caught, unchanged code fails in at most ${percent(promised.false_alarm)} and at most ${percent(promised.undecided)} is undecided, by replaying the gate with up to ${processes} processes per side on the noise of each case's own processes: ${counted(runs, 'run')} per question. From ${plainText(source)}, ${counted(
    cases.reduce((sum, { measurements }) => sum + measurements, 0),
    'measurement',
  )}.`;
}

function percent(share: number): string {
  return `${Number((100 * share).toFixed(1))} %`;
}
