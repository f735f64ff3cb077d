/** The one comment of a pull request; the check run and the job summary show the same. */
import { thresholdText } from '../model/case-thresholds.ts';
import type { CheckReport } from '../model/check-report.ts';
import type { CiRun, CiStep } from '../model/ci-run.ts';
import type { CaseComparison } from '../model/comparison.ts';
import { linksText, type CiLinks } from './ci-links.ts';
import { ciSentence, plainLinesOf, untoldJudgeChanges } from './ci-sentence.ts';
import {
  caseTable,
  clockText,
  environmentText,
  folded,
  headText,
  noticesText,
  readingText,
} from './comparison-markdown.ts';
import { ratchetNotes } from './comparison-notices.ts';
import { comparisonSections, lookOf, type Sections, casesByUrgency } from './comparison-sections.ts';
import { caseNames, type CaseNames } from './comparison-text.ts';
import { faultMarkdown } from './fault-markdown.ts';
import { markdownCode, markdownText } from './markdown-text.ts';
import { formatDuration } from './units.ts';

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
/** Sentences are long, and the tables above them say the same in numbers. */
const MOST_REASONS = 20;
const MOST_FAULTS = 5;
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

function render(run: CiRun, links: CiLinks, options: CiCommentOptions, rows: number): string {
  const { check } = run;
  return joined([
    firstLine(run),
    noticeText(options),
    failureText(run),
    ...(check === undefined ? [] : caseBlocks(check, rows)),
    judgeText(run, rows),
    ...(check === undefined ? [] : restBlocks(check, rows)),
    stepsText(run),
    check === undefined ? '' : headText(check, caseNames(check.comparison.cases)),
    footer(run, links),
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
  const { emoji, word, text } = ciSentence(run);
  return `${emoji} **Pawl: ${word}**: ${markdownText(text)}`;
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
    'This says nothing about the speed of the change: it was not measured.',
  ]);
}

function preformatted(lines: readonly string[]): string {
  return ['<pre>', ...lines, '</pre>'].join('\n');
}

/** What needs a person: the cases that changed, and what was seen of each. */
function caseBlocks(check: CheckReport, rows: number): string[] {
  const sections = comparisonSections(check);
  const names = caseNames(check.comparison.cases);
  const changed = changedCases(sections);
  const verdictOf = (one: CaseComparison): string => {
    const { emoji, word } = lookOf(one, sections);
    return `${emoji} ${sections.advanced.includes(one) ? 'improved, now the baseline' : word}`;
  };
  return [
    noticesText(check, names),
    changed.length === 0 ? '' : caseTable(changed, check, names, { rows, verdictOf }),
    reasonsText(check, sections, names, rows),
    ...faultTexts(sections, names, rows),
  ];
}

function changedCases(sections: Sections): CaseComparison[] {
  return casesByUrgency({ ...sections, maintained: [] });
}

/** New cases have nothing to say beyond their row. */
function reasonsText(check: CheckReport, sections: Sections, names: CaseNames, rows: number): string {
  const notesOf = ratchetNotes(check, sections);
  const told = changedCases(sections).filter(
    (one) => one.verdict !== 'new' && !(one.verdict === 'incorrect' && one.fault !== undefined),
  );
  const shown = told.slice(0, Math.min(rows, MOST_REASONS)).map((one) => {
    const notes = notesOf(one).map((note) => `<br>${markdownText(note)}`);
    return `- ${markdownCode(names.nameOf(one))}: ${markdownText(one.reason)}${notes.join('')}`;
  });
  return [...shown, ...more(told.length - shown.length, 'case')].join('\n');
}

function faultTexts(sections: Sections, names: CaseNames, rows: number): string[] {
  const wrong = sections.incorrect.filter(({ fault }) => fault !== undefined);
  const shown = distinctFaults(wrong).slice(0, Math.min(rows, MOST_FAULTS));
  const texts = shown.map((one) => {
    const { fault } = one;
    if (fault === undefined) return '';
    const lines = plainLinesOf(fault.message).map(markdownText);
    return joined([
      `**${fault.during === 'build' ? markdownCode(one.kernel ?? '') : markdownCode(names.nameOf(one))}**: ${lines[0] ?? ''}`,
      lines.length > 1 ? preformatted(lines.slice(0, FAILURE_LINES)) : '',
      fault.during === 'build' ? '' : faultMarkdown(fault),
    ]);
  });
  return [...texts, ...more(wrong.length - shown.length, 'incorrect case')];
}

/** A kernel that does not build says so once, not once a case. */
function distinctFaults(cases: readonly CaseComparison[]): CaseComparison[] {
  const seen = new Set<string>();
  return cases.filter((one) => {
    if (one.fault?.during !== 'build') return true;
    const id = JSON.stringify([one.kernel, one.fault.message]);
    if (seen.has(id)) return false;
    seen.add(id);
    return true;
  });
}

function judgeText(run: CiRun, rows: number): string {
  const changes = untoldJudgeChanges(run);
  if (changes.length === 0) return '';
  const shown = changes.slice(0, rows).map(({ text }) => `- ${markdownText(text)}`);
  const from = run.policy?.source === 'head' ? '' : ' It was judged by the rules of its base.';
  const items = [...shown, ...more(changes.length - shown.length, 'change')];
  return `⚠️ **This change alters its own gate.**${from}\n\n${items.join('\n')}`;
}

/** What needs no person, folded away. */
function restBlocks(check: CheckReport, rows: number): string[] {
  const { maintained } = comparisonSections(check);
  const names = caseNames(check.comparison.cases);
  return [
    folded(
      `✔️ Unchanged (${maintained.length})`,
      maintained.length === 0 ? '' : caseTable(maintained, check, names, { rows }),
      rows === 0
        ? ''
        : clockText({ ...comparisonSections(check), maintained: maintained.slice(0, rows) }, names),
    ),
    folded('How to read this', readingText(check, {})),
    folded('Environment', environmentText(check)),
  ];
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
  return folded('Steps', ['| step | took | |', '| :-- | --: | :-- |', ...rows].join('\n'));
}

function footer({ policy, pawl_version }: CiRun, links: CiLinks): string {
  const rules =
    policy === undefined
      ? ''
      : `Slower by ${markdownText(thresholdText(policy.regression_pct, policy.case_regression_pct ?? {}))} fails, undecided ${policy.undecided === 'pass' ? 'passes' : 'fails'}.`;
  const signature = `*Measured and judged by Pawl ${markdownText(pawl_version)}.* ${rules}`.trim();
  return joined([linksText(links), `<sub>${signature}</sub>`]);
}

function more(count: number, what: string): string[] {
  return count <= 0 ? [] : [`- and ${count} more ${what}${count === 1 ? '' : 's'}, in the artifacts.`];
}

function joined(blocks: readonly string[]): string {
  return blocks.filter((block) => block !== '').join('\n\n');
}
