/** The one comment of a pull request; the check run and the job summary show the same. */
import { thresholdText } from '../../model/judge/case-thresholds.ts';
import type { CiRun, CiStep } from '../../model/reports/ci-run.ts';
import { CiCases } from './ci-comment-cases.ts';
import { linksText, type CiLinks } from './ci-links.ts';
import { ciSentence, plainLinesOf, untoldJudgeChanges } from './ci-sentence.ts';
import { headCommitText } from '../text/comparison-text.ts';
import { costText } from '../text/cost-text.ts';
import { folded, joined, moreItems, preformatted } from './markdown-blocks.ts';
import { markdownCode, markdownText } from './markdown-text.ts';
import { formatDuration } from '../text/units.ts';

export type { CiLinks } from './ci-links.ts';

export interface CiCommentOptions {
  /** Tells the comments of several Pawl configurations in one repository apart. */
  readonly key: string;
  /** The most characters; default: below what a comment on GitHub holds. */
  readonly limit?: number;
  /** A sentence below the first line, such as whose code measured this. */
  readonly notice?: string;
}

/** GitHub refuses a comment above 65,536 characters. */
const COMMENT_LIMIT = 60_000;

/** Rows of each table and items of each list: the first of these with which everything fits. */
const ROWS = [100, 50, 25, 12, 6, 3, 1, 0];
const FAILURE_LINES = 30;

/** A hidden line by which a comment is found again. It stands last: what is before it came through escaping. */
export function commentMarker(key: string): string {
  return `<!-- pawl:comment ${key} -->`;
}

export function renderCiComment(run: CiRun, links: CiLinks, options: CiCommentOptions): string {
  const { limit = COMMENT_LIMIT } = options;
  for (const rows of ROWS) {
    const text = render(run, links, options, rows);
    if (text.length <= limit) return text;
  }
  return shortest(run, links, options);
}

/** What a reader needs in five seconds, then what can be opened, then where it comes from. */
function render(run: CiRun, links: CiLinks, options: CiCommentOptions, rows: number): string {
  const { check } = run;
  const view = check === undefined ? undefined : new CiCases(check, links, rows);
  return joined([
    firstLine(run),
    noticeText(options),
    failureText(run),
    ...(view?.open() ?? []),
    judgeText(run, rows),
    ...(view?.folded() ?? []),
    folded('How this was measured', ...(view?.background() ?? []), stepsText(run)),
    linksText(links),
    footer(run),
    commentMarker(options.key),
  ]);
}

/** Where not even the frame fits: text of absurd length somewhere. */
function shortest(run: CiRun, links: CiLinks, options: CiCommentOptions): string {
  const { emoji, word } = ciSentence(run);
  const why = 'This report is too long to be shown here: it is in the artifacts.';
  return joined([`${emoji} **Pawl: ${word}**`, why, linksText(links), commentMarker(options.key)]);
}

function firstLine(run: CiRun): string {
  const { emoji, text } = ciSentence(run);
  const told = run.check === undefined ? `Pawl could not run: ${text}` : text;
  return `${emoji} **${markdownText(told)}**`;
}

function noticeText({ notice }: CiCommentOptions): string {
  return notice === undefined ? '' : `*${markdownText(notice)}*`;
}

/** The whole message, as a compiler or a configuration file needs several lines. */
function failureText({ failure }: CiRun): string {
  if (failure === undefined) return '';
  const lines = plainLinesOf(failure.message);
  const shown = lines.slice(0, FAILURE_LINES).map(markdownText);
  const more = lines.length - shown.length;
  return joined([
    lines.length < 2 ? '' : preformatted([...shown, ...(more > 0 ? [`… ${more} more lines`] : [])]),
    failure.hint === undefined ? '' : `→ ${markdownText(failure.hint)}`,
    'The speed of the change was not measured.',
  ]);
}

/** The lists that a change makes of its own gate stay folded; that it does is told openly. */
function judgeText(run: CiRun, rows: number): string {
  const changes = untoldJudgeChanges(run);
  if (changes.length === 0) return '';
  const shown = changes.slice(0, rows).map(({ text }) => `- ${markdownText(text)}`);
  const from = run.policy?.source === 'head' ? '' : ' It was judged by the rules of its base.';
  const items = [...shown, ...moreItems(changes.length - shown.length, 'change')];
  return joined([
    `⚠️ **This change alters its own gate.**${from}`,
    folded(`What it alters (${changes.length})`, items.join('\n')),
  ]);
}

const STEP_MARK: Readonly<Record<CiStep['status'], string>> = {
  passed: '✔️',
  warned: '⚠️',
  failed: '❌',
  skipped: '–',
};

function stepsText({ steps }: CiRun): string {
  if (steps.length === 0) return '';
  const rows = steps.map(({ name, status, seconds, detail }) => {
    const took = seconds === undefined ? '' : formatDuration(1000 * seconds);
    return `| ${STEP_MARK[status]} ${name} | ${took} | ${markdownText(detail ?? '')} |`;
  });
  return ['| step | took | |', '| :-- | --: | :-- |', ...rows].join('\n');
}

/** One small line: what was measured where, and by which rule. */
function footer({ policy, check, pawl_version }: CiRun): string {
  const { hardware, cost, base_commit } = check ?? {};
  const commit = check === undefined ? undefined : headCommitText(check);
  const base = base_commit === undefined ? '' : ` against ${markdownCode(base_commit.slice(0, 12))}`;
  const parts = [
    commit === undefined ? '' : `${markdownCode(commit)}${base}`,
    hardware === undefined ? '' : markdownText(hardware),
    cost === undefined ? '' : markdownText(costText(cost)),
    policy === undefined
      ? ''
      : `Slower by ${markdownText(thresholdText(policy.regression_pct, policy.case_regression_pct ?? {}))} fails, undecided ${policy.undecided === 'pass' ? 'passes' : 'fails'}`,
    `Pawl ${markdownText(pawl_version)}`,
  ];
  return `<sub>${parts.filter((part) => part !== '').join(' · ')}</sub>`;
}
