import type { Race, RaceCase } from '../../model/judge/race.ts';
import type { TerminalOptions } from './bench-terminal.ts';
import { painter, TONE_STYLE, type Paint } from './paint.ts';
import { displayWidth, hanging, padEnd, padStart, wrap } from '../text/plain-text.ts';
import {
  caseTitle,
  RACE_COLUMNS,
  RACE_READING,
  raceFacts,
  raceNotices,
  raceReasons,
  raceRows,
  raceSentence,
  RESULT_LOOK,
} from '../text/race-text.ts';

const NARROWEST = 60;
const WIDEST = 130;
const GAP = '  ';
const NOTICE_MARKS = { bad: '‼', warn: '!', note: '·' };

/** The outcome, a table per case, and why a kernel has no rank or no verdict. */
export function renderRaceTerminal(race: Race, { color, columns }: TerminalOptions): string {
  const width = Math.min(WIDEST, Math.max(NARROWEST, columns));
  const paint = painter(color);
  const { mark, tone } = RESULT_LOOK[race.result];
  const [first, ...more] = wrap(raceSentence(race), width - 2);
  const facts = raceFacts(race).map(([name, value]) => (name === 'on' ? value : `${name} ${value}`));
  const blocks = [
    [
      `${paint(TONE_STYLE[tone], mark)} ${paint('bold', first ?? '')}`,
      ...more.map((line) => `  ${line}`),
      ...wrap(facts.join(' · '), width).map((line) => paint('dim', line)),
    ],
    ...race.cases.map((one) => caseBlock(one, race, width, paint)),
    raceNotices(race).flatMap(({ tone: kind, text }) => hanging(`${NOTICE_MARKS[kind]} `, 2, text, width)),
    wrap(RACE_READING, width).map((line) => paint('dim', line)),
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function caseBlock(one: RaceCase, race: Race, width: number, paint: Paint): string[] {
  const rows = raceRows(one, race);
  const header = RACE_COLUMNS.map(([name]) => name);
  const widths = header.map((name, index) =>
    Math.max(displayWidth(name), ...rows.map(({ cells }) => displayWidth(cells[index] ?? ''))),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, index) => (RACE_COLUMNS[index]?.[1] === 'left' ? padEnd : padStart)(cell, widths[index]!))
      .join(GAP)
      .trimEnd();
  return [
    paint('bold', caseTitle(one)),
    paint('dim', `  ${line(header)}`),
    ...rows.map(({ cells, tone, mark }) => `${paint(TONE_STYLE[tone], mark)} ${line(cells)}`),
    ...raceReasons(one).flatMap(({ kernel, reason }) => hanging(`  ${kernel}: `, 4, reason, width)),
  ];
}
