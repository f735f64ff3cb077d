import type { Race, RaceCase } from '../../model/judge/race.ts';
import { VERDICT } from '../../model/judge/verdict.ts';
import { markdownText } from './markdown-text.ts';
import {
  caseTitle,
  RACE_COLUMNS,
  RACE_READING,
  raceFacts,
  raceNotices,
  raceReasons,
  raceRows,
  raceSentence,
} from '../text/race-text.ts';

const EMOJI = {
  good: VERDICT.maintained.emoji,
  undecided: VERDICT.undecided.emoji,
  bad: VERDICT.incorrect.emoji,
};

export function renderRaceMarkdown(race: Race): string {
  const blocks = [
    `## 🏁 Race of ${markdownText(race.problem)}`,
    `${EMOJI[race.result]} ${markdownText(raceSentence(race))}`,
    raceFacts(race)
      .map(([name, value]) => `**${name}**: ${markdownText(value)}`)
      .join('  \n'),
    ...race.cases.map((one) => caseText(one, race)),
    raceNotices(race)
      .map(({ text }) => `- ${markdownText(text)}`)
      .join('\n'),
    markdownText(RACE_READING),
    '---\n*Measured and judged by Pawl*',
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

function caseText(one: RaceCase, race: Race): string {
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const reasons = raceReasons(one).map(
    ({ kernel, reason }) => `- ${markdownText(kernel)}: ${markdownText(reason)}`,
  );
  return [
    `### ${markdownText(caseTitle(one))}\n`,
    row(RACE_COLUMNS.map(([name]) => name)),
    row(RACE_COLUMNS.map(([, side]) => (side === 'left' ? ':--' : '--:'))),
    ...raceRows(one, race).map(({ cells }) => row(cells.map((cell) => markdownText(cell)))),
    ...(reasons.length === 0 ? [] : ['', ...reasons]),
  ].join('\n');
}
