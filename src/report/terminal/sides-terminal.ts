import { intervalText, signedPercent } from '../../model/text/change-text.ts';
import type { SideCase, SidesComparison } from '../../model/history/sides-comparison.ts';
import { byUrgency, VERDICT } from '../../model/judge/verdict.ts';
import { painter, TONE_STYLE, type Paint } from './paint.ts';
import { displayWidth, padEnd, padStart, plainText, rowText, truncate } from '../text/plain-text.ts';
import { commitText, sidesCounts, sidesHeadline, unjudgedText, plainChangePct } from '../text/sides-text.ts';
import { keyName } from '../text/trend-text.ts';
import { timeText } from '../text/units.ts';

interface TerminalOptions {
  readonly color: boolean;
  readonly columns: number;
  /** As many cases as are printed; the rest is counted. */
  readonly most?: number;
}

const MOST_ROWS = 60;
const NAME_COLUMNS = 44;

/** Worst first, a line per case. */
export function renderSidesTerminal(found: SidesComparison, options: TerminalOptions): string {
  const { color, columns, most = MOST_ROWS } = options;
  const paint = painter(color);
  const sorted = found.cases.toSorted(worstFirst);
  const shown = sorted.slice(0, most);
  const rows = shown.map(cellsOf);
  const header = ['', 'case', 'A', 'B', 'change %', 'interval %', 'verdict'];
  const widths = header.map((name, at) =>
    Math.max(...[name, ...rows.map((row) => row[at]!)].map(displayWidth)),
  );
  const line = (cells: readonly string[]): string =>
    rowText(
      cells.map((cell, at) => (at >= 2 && at <= 4 ? padStart(cell, widths[at]!) : padEnd(cell, widths[at]!))),
      columns,
    );
  const left = sorted.length - shown.length;
  return [
    paint('bold', plainText(sidesHeadline(found))),
    ...(['a', 'b'] as const).flatMap((side) => sideLine(found, side, columns)),
    found.cases.length === 0
      ? 'Neither side has a measurement.'
      : `${sidesCounts(found)}. Positive is faster.`,
    '',
    ...(rows.length === 0 ? [] : [paint('dim', line(header))]),
    ...rows.map((row, at) => painted(line(row), shown[at]!, paint)),
    ...(left > 0 ? [paint('dim', `and ${left} more: --json or --csv has all of them`)] : []),
    '',
  ].join('\n');
}

/** What is known of the side's commit. */
function sideLine(found: SidesComparison, side: 'a' | 'b', columns: number): string[] {
  const commit = found.commits.find(({ sha }) => sha === found[side].commit);
  const text = commit === undefined ? '' : commitText(commit);
  if (text === '') return [];
  const url = commit?.url === undefined ? '' : `  ${plainText(commit.url)}`;
  return [truncate(`${side.toUpperCase()}  ${plainText(text)}${url}`, columns)];
}

function worstFirst(one: SideCase, other: SideCase): number {
  const [verdict, otherVerdict] = [one.verdict, other.verdict];
  if (verdict === undefined || otherVerdict === undefined) {
    return Number(verdict === undefined) - Number(otherVerdict === undefined);
  }
  const byVerdict = byUrgency({ verdict }, { verdict: otherVerdict });
  return byVerdict || (one.change_pct ?? 0) - (other.change_pct ?? 0);
}

function cellsOf(one: SideCase): string[] {
  const { key, a, b, verdict, change_pct, ci_pct } = one;
  const plain = plainChangePct(one);
  return [
    verdict === undefined ? '·' : VERDICT[verdict].mark,
    truncate(`${keyName(key)} (${plainText(key.mode)})`, NAME_COLUMNS),
    a?.level_ms === undefined ? '' : timeText(a.level_ms),
    b?.level_ms === undefined ? '' : timeText(b.level_ms),
    change_pct === undefined
      ? plain === undefined
        ? ''
        : `~${signedPercent(plain)}`
      : signedPercent(change_pct),
    ci_pct === undefined ? '' : intervalText(ci_pct),
    verdict === undefined ? unjudgedText(one) : verdict,
  ];
}

function painted(text: string, { verdict }: SideCase, paint: Paint): string {
  const tone = verdict === undefined ? 'plain' : VERDICT[verdict].tone;
  return verdict === 'maintained' ? text : paint(TONE_STYLE[tone], text);
}
