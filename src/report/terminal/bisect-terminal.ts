import type {
  BisectAnswer,
  BisectCommit,
  BisectProbe,
  BisectReport,
} from '../../model/reports/bisect-report.ts';
import { changeText } from '../../model/text/change-text.ts';
import { painter, type Paint } from './paint.ts';
import { displayWidth, padEnd, plainText, truncate, wrap } from '../text/plain-text.ts';
import { formatDuration } from '../text/units.ts';

interface TerminalOptions {
  readonly color: boolean;
  readonly columns: number;
}

const NARROWEST = 60;
const WIDEST = 130;
const SHA_DIGITS = 10;

const MARKS: Readonly<Record<BisectAnswer, readonly [mark: string, style: Parameters<Paint>[0]]>> = {
  good: ['✓', 'green'],
  bad: ['✗', 'red'],
  skipped: ['·', 'dim'],
  undecided: ['?', 'yellow'],
};

/** The answer, how it was come to, and what is to be known about it. */
export function renderBisect(report: BisectReport, { color, columns }: TerminalOptions): string {
  const width = Math.min(WIDEST, Math.max(NARROWEST, columns));
  const paint = painter(color);
  const { kernel = '', case: name, mode } = report.case;
  const title = [`${plainText(kernel)}/${plainText(name)}`, mode ?? ''].filter((part) => part !== '');
  const parts = [
    [`${paint('bold', title.join(' · '))}  ${short(report.good)} … ${short(report.bad)}`, ''],
    wrapped(answerText(report), width, paint, report.outcome === 'found' ? 'bold' : 'yellow'),
    report.suspects.length === 0 || report.outcome === 'stopped'
      ? []
      : ['', ...report.suspects.map((commit) => suspectLine(commit, report, width, paint))],
    probeLines(report, width, paint),
    report.notes.flatMap((note) => ['', ...wrap(plainText(note), width)]),
    ['', paint('dim', `${costText(report)}; journal: ${report.journal}`)],
  ];
  return `${parts.flat().join('\n')}\n`;
}

function answerText(report: BisectReport): string {
  const { outcome, ends, confirmation, suspects, commits } = report;
  const whole = ends?.change_pct === undefined ? '' : figureOf(ends);
  switch (outcome) {
    case 'found':
      return `This commit made it slower: ${figureOf(confirmation!)} against its parent, measured again.${shareText(report)}`;
    case 'range':
      return `It became slower in one of ${suspects.length} commits, which cannot be distinguished: ${figureOf(confirmation!)} over them, measured again.${shareText(report)}`;
    case 'unconfirmed':
      return `The search ended at ${short(report.first_bad)}, but measured again against ${short(report.last_good)} it is not slower by that much (${confirmation!.reason}). It became slower gradually, or the device was not quiet: pawl trend shows which, --restart tries again.`;
    case 'nothing':
      return `No slowdown: ${short(report.bad)} is not slower than ${short(report.good)}. ${sentence(ends?.reason ?? '')}`;
    case 'undecided':
      return `Whether ${short(report.bad)} is slower than ${short(report.good)} could not be decided: ${sentence(ends?.reason ?? '')}`;
    case 'stopped':
      return `The budget ran out with ${suspects.length} of ${commits} commits left${whole === '' ? '' : `, of a change of ${whole}`}. Run the same command to continue.`;
  }
}

/** How much of the whole slowdown the answer is, where it is not all of it. */
function shareText({ ends, confirmation }: BisectReport): string {
  const [whole, own] = [ends?.change_pct, confirmation?.change_pct];
  if (whole === undefined || own === undefined || !(whole < 0 && own < 0)) return '';
  const share = Math.log1p(-own / 100) / Math.log1p(-whole / 100);
  return share > 0.9
    ? ''
    : ` That is ${Math.round(100 * share)} % of the whole slowdown; the rest is elsewhere.`;
}

function suspectLine(commit: BisectCommit, report: BisectReport, width: number, paint: Paint): string {
  const probe = report.probes.find((one) => one.commit === commit.sha);
  const [mark, style] = MARKS[probe?.answer ?? (commit.sha === report.bad ? 'bad' : 'skipped')];
  const merge = commit.parents.length > 1 ? ' (merge)' : '';
  const facts = `  ${plainText(commit.author)}, ${commit.time.slice(0, 10)}${merge}`;
  const start = `  ${mark} ${short(commit.sha)}  `;
  const room = Math.max(10, width - displayWidth(start) - displayWidth(facts));
  return `  ${paint(style, mark)} ${paint('bold', short(commit.sha))}  ${truncate(plainText(commit.subject), room)}${paint('dim', facts)}`;
}

function probeLines({ probes }: BisectReport, width: number, paint: Paint): string[] {
  if (probes.length === 0) return [];
  const lines = probes.map((probe) => {
    const [mark, style] = MARKS[probe.answer];
    const change = probe.change_pct === undefined ? '' : figureOf(probe);
    const text = probe.answer === 'good' || probe.answer === 'bad' ? change || probe.reason : probe.reason;
    const start = `  ${short(probe.commit)}  ${padEnd(probe.answer, 9)}  `;
    return `${paint(style, mark)} ${start.slice(1)}${paint('dim', truncate(plainText(text), width - displayWidth(start) - 1))}`;
  });
  return ['', paint('dim', 'tried, each against the good commit'), ...lines];
}

function figureOf({ change_pct, ci_pct }: BisectProbe): string {
  return change_pct === undefined ? 'no figure' : changeText({ change_pct, ci_pct });
}

function costText({ cost, probes }: BisectReport): string {
  const took = formatDuration(1000 * (cost?.wall_s ?? 0));
  return `${probes.length} ${probes.length === 1 ? 'commit' : 'commits'} tried, ${took}`;
}

function wrapped(text: string, width: number, paint: Paint, style: 'bold' | 'yellow'): string[] {
  return wrap(plainText(text), width).map((line) => paint(style, line));
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function short(sha: string): string {
  return sha.slice(0, SHA_DIGITS);
}
