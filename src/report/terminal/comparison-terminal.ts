import type { CheckReport } from '../../model/reports/check-report.ts';
import type { CaseComparison } from '../../model/judge/comparison.ts';
import { VERDICT } from '../../model/judge/verdict.ts';
import type { TerminalOptions } from './bench-terminal.ts';
import type { ComparisonColumn } from '../comparison-columns.ts';
import { COMPARISON_COLUMNS, levelText } from '../comparison-columns.ts';
import { IntervalBar } from '../comparison-interval-bar.ts';
import { comparisonNotices, isClockChange, nextSteps, ratchetNotes } from '../text/comparison-notices.ts';
import type { Sections } from '../text/comparison-sections.ts';
import { casesByUrgency, comparisonSections, lookOf } from '../text/comparison-sections.ts';
import type { CaseNames } from '../text/comparison-text.ts';
import { caseNames, sidesText } from '../text/comparison-text.ts';
import { moneyText } from '../text/cost-text.ts';
import { distinctNames } from '../text/distinct-names.ts';
import { faultLines } from './fault-terminal.ts';
import { type Paint, TONE_STYLE } from './paint.ts';
import { painter } from './paint.ts';
import { displayWidth, padEnd, padStart, plainText, truncate, wrap } from '../text/plain-text.ts';
import { protectionsText } from '../text/protections-text.ts';
import { formatDuration } from '../text/units.ts';
import { verdictSentence } from '../text/verdict-sentence.ts';

const GAP = '  ';
const MARK_WIDTH = 2;
const NARROWEST = 60;
const WIDEST = 130;
const BAR_CELLS = [33, 25, 17];
const GIVEN_UP: readonly ComparisonColumn['id'][] = ['processes', 'p', 'delta', 'interval'];
const NARROWEST_NAME = 8;

/** The verdict, a table with a bar a case, why each verdict is not "maintained", and what to do next. */
export function renderComparisonTerminal(report: CheckReport, options: TerminalOptions): string {
  const width = Math.min(WIDEST, Math.max(NARROWEST, options.columns));
  const paint = painter(options.color);
  const sections = comparisonSections(report);
  const names = caseNames(report.comparison.cases);
  const blocks = [
    headBlock(report, sections, names, width, paint),
    tableBlock(report, sections, names, width, paint),
    reasonsBlock(report, sections, names, width, paint),
    noticesBlock(report, names, width, paint),
    stepsBlock(report, sections, paint),
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function headBlock(
  report: CheckReport,
  sections: Sections,
  { shared }: CaseNames,
  width: number,
  paint: Paint,
): string[] {
  const { mark, tone } = VERDICT[report.verdict];
  const style = TONE_STYLE[tone];
  const { hardware, cost } = report;
  const sandbox = plainText(protectionsText(report.comparison.protections));
  const [first, ...more] = wrap(
    `${report.verdict}: ${verdictSentence(report, sections)}`,
    width - MARK_WIDTH,
  );
  const word = first!.slice(0, report.verdict.length);
  const facts = [
    plainText(hardware ?? ''),
    shared,
    ...sidesText(report),
    sandbox === '' ? '' : `sandbox ${sandbox}`,
    cost === undefined ? '' : `took ${formatDuration(1000 * cost.wall_s)}`,
    cost?.device_s === undefined ? '' : `device ${formatDuration(1000 * cost.device_s)}`,
    cost?.money === undefined ? '' : `cost ${plainText(moneyText(cost.money))}`,
  ].filter((fact) => fact !== '');
  return [
    `${paint(style, mark)} ${paint('bold', paint(style, word))}${first!.slice(word.length)}`,
    ...more.map((line) => `  ${line}`),
    ...packed(facts, width).map((line) => paint('dim', line)),
  ];
}

/** Facts in lines, none of them broken. */
function packed(facts: readonly string[], width: number): string[] {
  const whole = facts.map((fact) => fact.replaceAll(' ', '\u00A0')).join(' ·\u00A0');
  return wrap(whole, width)
    .map((line) => line.replaceAll('\u00A0', ' ').replace(/^· /u, ''))
    .filter((line) => line !== '');
}

function tableBlock(
  { comparison }: CheckReport,
  sections: Sections,
  names: CaseNames,
  width: number,
  paint: Paint,
): string[] {
  const { nameOf } = names;
  const cases = casesByUrgency(sections);
  if (cases.length === 0) return [];
  const cellWidth = ({ header, cell }: ComparisonColumn): number =>
    Math.max(displayWidth(header), ...cases.map((one) => displayWidth(cell(one))));
  const longest = Math.max('case'.length, ...cases.map((one) => displayWidth(nameOf(one))));
  const { columns, barCells } = fitted(cellWidth, longest, width);
  const bar = barCells === 0 ? undefined : new IntervalBar(comparison, barCells);
  const widths = columns.map(cellWidth);
  const taken = widths.reduce((sum, one) => sum + one + GAP.length, MARK_WIDTH + barWidth(barCells));
  const nameWidth = Math.min(longest, Math.max(NARROWEST_NAME, width - taken));
  const shortNames = distinctNames(cases.map(nameOf), nameWidth);
  const line = (name: string, cells: readonly string[], tail: string): string =>
    [
      padEnd(truncate(name, nameWidth), nameWidth),
      ...cells.map((cell, i) => padStart(cell, widths[i]!)),
      tail,
    ]
      .join(GAP)
      .trimEnd();
  const header = line(
    'case',
    columns.map((column) => column.header),
    bar?.header() ?? '',
  );
  const rows = cases.map((one, at) => {
    const { mark, tone } = lookOf(one, sections);
    const cells = columns.map(({ id, cell }, i) =>
      id === 'change' ? paint('bold', padStart(cell(one), widths[i]!)) : cell(one),
    );
    const tail = bar === undefined ? '' : paint(TONE_STYLE[tone], barOrReason(one, bar, barCells));
    return `${paint(TONE_STYLE[tone], mark)} ${line(shortNames[at]!, cells, tail)}`;
  });
  return [
    paint('dim', `${' '.repeat(MARK_WIDTH)}${header}`),
    ...rows,
    ...unmeasuredLines(sections, names, barCells, width),
    ...legendLines(cases, sections, bar !== undefined, width).map((text) => paint('dim', text)),
  ];
}

/** A case that needed no measuring says why where its bar would be. */
function barOrReason(one: CaseComparison, bar: IntervalBar, cells: number): string {
  if (one.state === 'estimated') return bar.bar(one).trimEnd();
  const reason = plainText(one.reason);
  return one.verdict === 'maintained' && displayWidth(reason) <= cells ? reason : '';
}

/** Where that is too narrow, it stands below the table, once for all that have the same reason. */
function unmeasuredLines(
  { maintained }: Sections,
  { nameOf }: CaseNames,
  barCells: number,
  width: number,
): string[] {
  const names = new Map<string, string[]>();
  for (const one of maintained) {
    const reason = plainText(one.reason);
    if (one.state === 'estimated' || displayWidth(reason) <= barCells) continue;
    names.set(reason, [...(names.get(reason) ?? []), nameOf(one)]);
  }
  return [...names].flatMap(([reason, cases]) => wrap(`${cases.join(', ')}: ${reason}`, width));
}

function legendLines(
  cases: readonly CaseComparison[],
  sections: Sections,
  bars: boolean,
  width: number,
): string[] {
  const looks = cases.map((one) => lookOf(one, sections));
  const marks = new Set(looks.map(({ mark, word }) => `${mark} ${word}`));
  const estimated = cases.some(({ state }) => state === 'estimated');
  const parts = [...marks, ...(estimated ? ['positive is faster'] : []), ...(bars ? ['┊ thresholds'] : [])];
  return [...packed(parts, width), ...wrap(levelText(cases), width)].filter((text) => text !== '');
}

function barWidth(cells: number): number {
  return cells === 0 ? 0 : cells + GAP.length;
}

/** Shrinks the bar, then gives up columns and at last the bar, until the table fits; then names are cut. */
function fitted(
  cellWidth: (column: ComparisonColumn) => number,
  longestName: number,
  width: number,
): { columns: ComparisonColumn[]; barCells: number } {
  const name = Math.min(longestName, 24);
  const needed = (columns: readonly ComparisonColumn[], barCells: number): number =>
    columns.reduce((sum, column) => sum + cellWidth(column) + GAP.length, MARK_WIDTH + name) +
    barWidth(barCells);
  let columns = [...COMPARISON_COLUMNS];
  const roomy = BAR_CELLS.find((cells) => needed(columns, cells) <= width);
  if (roomy !== undefined) return { columns, barCells: roomy };
  const smallest = BAR_CELLS.at(-1)!;
  for (const id of GIVEN_UP) {
    columns = columns.filter((column) => column.id !== id);
    if (needed(columns, smallest) <= width) return { columns, barCells: smallest };
  }
  return { columns, barCells: 0 };
}

function reasonsBlock(
  report: CheckReport,
  sections: Sections,
  { nameOf }: CaseNames,
  width: number,
  paint: Paint,
): string[] {
  const notesOf = ratchetNotes(report, sections);
  const shown = casesByUrgency({ ...sections, maintained: sections.maintained.filter(isClockChange) });
  return shown.flatMap((one) => {
    const { mark, tone } = lookOf(one, sections);
    const texts = [`${nameOf(one)}: ${plainText(one.reason)}`, ...notesOf(one)];
    const lines = texts.flatMap((text) => wrap(text, width - MARK_WIDTH));
    const fault = one.fault === undefined ? [] : faultLines(one.fault, width - MARK_WIDTH, paint);
    return [...lines, ...fault].map(
      (line, index) => `${index === 0 ? paint(TONE_STYLE[tone], mark) : ' '} ${line}`,
    );
  });
}

function noticesBlock(report: CheckReport, names: CaseNames, width: number, paint: Paint): string[] {
  return comparisonNotices(report, names).flatMap(({ tone, text }) => {
    const mark = { bad: paint('red', '!'), warn: paint('yellow', '!'), note: paint('dim', '·') }[tone];
    return wrap(text, width - MARK_WIDTH).map((line, index) => `${index === 0 ? mark : ' '} ${line}`);
  });
}

function stepsBlock(report: CheckReport, sections: Sections, paint: Paint): string[] {
  return nextSteps(report, sections, true).flatMap(({ why, command }) => [
    paint('dim', `→ ${why}:`),
    `    ${command}`,
  ]);
}
