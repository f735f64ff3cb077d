import { signedPercent, changeText } from '../../model/text/change-text.ts';
import type { Trend, TrendReport } from '../../model/history/history.ts';
import { changePct } from '../../model/text/change-pct.ts';
import { median } from '../../stats/quantile.ts';
import { counted } from '../text/comparison-text.ts';
import { painter, type Paint } from './paint.ts';
import { plainText, truncate } from '../text/plain-text.ts';
import {
  changePlace,
  deviceText,
  hostsText,
  keyDetails,
  keyName,
  markText,
  newestText,
  otherMarks,
  shortSha,
  steadyTexts,
} from '../text/trend-text.ts';
import { trendSparkline } from '../trend-sparkline.ts';
import { decimalsFor, formatIn, formatPercent, timeUnit, type Unit } from '../text/units.ts';

interface TerminalOptions {
  readonly color: boolean;
  readonly columns: number;
}

const NARROWEST = 60;
const WIDEST = 130;
const FIGURES_COLUMNS = 46;

/** A line of levels a case with its changes marked, what each change is, and how the devices are. */
export function renderTrendTerminal(report: TrendReport, { color, columns }: TerminalOptions): string {
  const width = Math.min(WIDEST, Math.max(NARROWEST, columns));
  const paint = painter(color);
  if (report.trends.length === 0) {
    const since = report.since === undefined ? '' : ` since ${report.since.slice(0, 10)}`;
    return `${report.store} has no measurement${since} to show.\n  → pawl bench, check and compare fill it; pawl history import adds older runs.\n`;
  }
  const parts = [
    ...report.trends.map((trend) => trendLines(trend, report, width, paint)),
    deviceLines(report, width, paint),
    Object.values(report.files).map((path) => paint('dim', `written: ${path}`)),
  ];
  return `${parts
    .filter((part) => part.length > 0)
    .map((part) => part.join('\n'))
    .join('\n\n')}\n`;
}

function trendLines(trend: Trend, report: TrendReport, width: number, paint: Paint): string[] {
  const { points, changes, newest, thinned_from } = trend;
  const cells = Math.max(10, Math.min(points.length, width - FIGURES_COLUMNS));
  const { line, marks } = trendSparkline(trend, cells);
  const from = points[0]!.level_ms;
  const to = points.at(-1)!.level_ms;
  const unit = timeUnit([from, to]);
  const decimals = decimalsFor([from, to], unit, 4);
  const figures = `${formatIn(from, unit, decimals)} → ${formatIn(to, unit, decimals)} ${unit.name}, ${counted(thinned_from ?? points.length, 'commit')}`;
  const details = [hostsText(points), keyDetails(trend.key)].filter((part) => part !== '').join(' · ');
  return [
    `${paint('bold', keyName(trend.key))}  ${paint('dim', truncate(details, width - 30))}`,
    `  ${line}  ${figures}${recent(trend)}`,
    ...(marks.trim() === '' ? [] : [`  ${paint('yellow', marks.trimEnd())}`]),
    ...steadyTexts(trend).map((text) => `  ${paint('dim', `· ${truncate(text, width - 4)}`)}`),
    ...changes.map((change) => {
      const slower = change.change_pct < 0;
      const kind = `${slower ? '✗' : '▲'} ${change.kind === 'step' ? 'step ' : 'creep'}`;
      const text = `${changeText(change)}  ${changePlace(change, report)}`;
      return `  ${paint(slower ? 'red' : 'green', kind)}  ${truncate(text, width - 12)}`;
    }),
    ...(newest === undefined
      ? []
      : [
          `  ${paint(newest.change_pct < 0 ? 'red' : 'green', '! newest')}  ${truncate(`${changeText(newest)}  ${changePlace(newest, report)}`, width - 12)}`,
          `    ${newestText(newest)}`,
        ]),
    ...markLines(trend, width, paint),
    ...lineTexts(trend, unit, paint),
  ];
}

const MOST_MARKS = 6;

/** What else happened along the line, the latest last. */
function markLines(trend: Trend, width: number, paint: Paint): string[] {
  const marks = otherMarks(trend);
  const shown = marks.slice(-MOST_MARKS).map((mark) => {
    const text = `${markText(mark)}  ${shortSha(mark.commit)}  ${mark.time.slice(0, 10)}`;
    return `  ${paint('dim', `| ${truncate(text, width - 4)}`)}`;
  });
  const left = marks.length - shown.length;
  return left === 0 ? shown : [`  ${paint('dim', `| ${left} earlier marks`)}`, ...shown];
}

/** What the level is held against. */
function lineTexts({ points, lines = {} }: Trend, unit: Unit, paint: Paint): string[] {
  const { baseline_ms, floor_ms, reference } = lines;
  const level = points.at(-1)!.level_ms;
  const text = (time_ms: number): string =>
    `${formatIn(time_ms, unit, decimalsFor([time_ms], unit, 4))} ${unit.name}`;
  const parts = [
    baseline_ms === undefined ? '' : `baseline ${text(baseline_ms)}`,
    floor_ms === undefined
      ? ''
      : `floor ${text(floor_ms)}, ${formatPercent((100 * floor_ms) / level)} % of it reached`,
    reference === undefined ? '' : `${plainText(reference.kernel)} ${text(reference.level_ms)}`,
  ].filter((part) => part !== '');
  return parts.length === 0 ? [] : [`  ${paint('dim', parts.join(' · '))}`];
}

/** The last levels against the first ones: what all changes together came to, without a newest point that is off. */
function recent({ points, newest }: Trend): string {
  const all = points.map(({ level_ms }) => level_ms);
  const levels = newest === undefined ? all : all.slice(0, -1);
  if (levels.length < 4) return '';
  const few = Math.max(1, Math.min(5, Math.floor(levels.length / 4)));
  const change = changePct(median(levels.slice(0, few)), median(levels.slice(-few)));
  return `, ${signedPercent(change)} % over all${newest === undefined ? '' : ' before the newest'}`;
}

function deviceLines({ devices }: TrendReport, width: number, paint: Paint): string[] {
  if (devices.length === 0) return [];
  return [
    paint('bold', 'devices'),
    ...devices.map((device) => {
      const where = [device.device, device.host ?? ''].map(plainText).filter((part) => part !== '');
      const mark = device.health === 'alarming' ? paint('red', '✗') : paint('dim', '·');
      return `  ${mark} ${truncate(`${where.join(' on ')}: ${deviceText(device)}`, width - 4)}`;
    }),
  ];
}
