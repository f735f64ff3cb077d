import { caseThresholds, thresholdText } from '../../model/judge/case-thresholds.ts';
import type { CheckReport } from '../../model/reports/check-report.ts';
import type { CaseComparison } from '../../model/judge/comparison.ts';
import { VERDICT } from '../../model/judge/verdict.ts';
import { COMPARISON_COLUMNS, levelText } from '../comparison-columns.ts';
import { IntervalBar } from '../comparison-interval-bar.ts';
import type { Notice } from '../text/comparison-notices.ts';
import { comparisonNotices, isClockChange, nextSteps, ratchetNotes } from '../text/comparison-notices.ts';
import type { ComparedSamples } from '../comparison-samples.ts';
import { seriesOfCase, sparklinesOf } from '../comparison-samples.ts';
import { type SectionId, type Sections, SECTION, SECTION_IDS } from '../text/comparison-sections.ts';
import { comparisonSections } from '../text/comparison-sections.ts';
import type { CaseNames } from '../text/comparison-text.ts';
import { caseNames, headCommitText, kernelsText, variantsText } from '../text/comparison-text.ts';
import { costText } from '../text/cost-text.ts';
import { hostFacts } from '../environment-facts.ts';
import { folded } from './markdown-blocks.ts';
import { faultMarkdown } from './fault-markdown.ts';
import { markdownCode, markdownText, markdownValue } from './markdown-text.ts';
import { verdictSentence } from '../text/verdict-sentence.ts';

/** A picture that the report can link to, where it was put. */
interface PictureLink {
  readonly title: string;
  readonly url: string;
}

export interface ComparisonMarkdownOptions {
  readonly pictures?: readonly PictureLink[];
  /** For sparklines of the distributions. */
  readonly samples?: ComparedSamples;
}

const BAR_CELLS = 25;
const SPARK_BINS = 10;
/** A comment on a code host holds 65,536 characters: longer tables are cut, and say so. */
const MOST_ROWS = 100;

/** The report for pull requests and job summaries. */
export function renderComparisonMarkdown(
  report: CheckReport,
  options: ComparisonMarkdownOptions = {},
): string {
  const sections = comparisonSections(report);
  const names = caseNames(report.comparison.cases);
  const section = (id: SectionId): string => sectionText(id, report, sections, names, options);
  const blocks = [
    report.baseline === undefined ? '## 📊 Performance Comparison' : '## 📊 Performance Ratchet Report',
    `${VERDICT[report.verdict].emoji} **${report.verdict}**: ${markdownText(verdictSentence(report, sections))}`,
    headText(report, names),
    noticesText(report, names),
    summaryText(report, sections),
    picturesText(options.pictures?.slice(0, 1) ?? []),
    // What needs a person first, what needs none folded away.
    ...SECTION_IDS.filter((id) => id !== 'maintained').map(section),
    folded(
      `${headingOf('maintained')} (${sections.maintained.length})`,
      sections.maintained.length === 0 ? '' : caseTable(sections.maintained, report, names, options),
      clockText(sections, names),
    ),
    folded('Pictures', picturesText(options.pictures?.slice(1) ?? [])),
    stepsText(report, sections),
    folded('How to read this', readingText(report, options)),
    folded('Environment', environmentText(report)),
    '---\n*Measured and judged by Pawl*',
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

export function headText(report: CheckReport, { shared }: CaseNames): string {
  const { base_commit, hardware, cost } = report;
  const commit = headCommitText(report);
  const base = base_commit === undefined ? '' : ` (base ${markdownCode(base_commit.slice(0, 12))})`;
  const lines = [
    report.comparison.kernels === undefined
      ? ''
      : `**Kernels**: ${markdownText(kernelsText(report.comparison.kernels))}`,
    report.variants === undefined ? '' : `**Variants**: ${markdownText(variantsText(report.variants))}`,
    commit === undefined ? '' : `**Commit**: ${markdownCode(commit)}${base}`,
    hardware === undefined ? '' : `**Hardware**: ${markdownText(hardware)}`,
    shared === '' ? '' : `**Measured**: ${markdownText(shared)}`,
    cost === undefined ? '' : `**Took**: ${markdownText(costText(cost))}`,
  ];
  return lines.filter((line) => line !== '').join('  \n');
}

function noticesText(report: CheckReport, names: CaseNames): string {
  return comparisonNotices(report, names).map(noticeLine).join('\n');
}

const NOTICE_MARK: Readonly<Record<Notice['tone'], string>> = { bad: '❌', warn: '⚠️', note: 'ℹ️' };

export function noticeLine({ tone, text }: Notice): string {
  return `- ${NOTICE_MARK[tone]} ${markdownText(text)}`;
}

function summaryText({ comparison }: CheckReport, sections: Sections): string {
  const line = (id: SectionId, count = sections[id].length): string =>
    `- **${SECTION[id].title}**: ${count}${count > 0 ? ` ${SECTION[id].emoji}` : ''}`;
  const others = SECTION_IDS.filter((id) => !ALWAYS_COUNTED.includes(id) && id !== 'advanced');
  return [
    '### Summary\n',
    `- **Total cases**: ${comparison.cases.length}`,
    line('regressed'),
    line('improved', sections.improved.length + sections.advanced.length),
    `- **${SECTION.maintained.title}**: ${sections.maintained.length}`,
    ...others.filter((id) => sections[id].length > 0).map((id) => line(id)),
  ].join('\n');
}

/** Counted even where there are none. What advanced improved. */
const ALWAYS_COUNTED: readonly SectionId[] = ['regressed', 'improved', 'maintained'];

function headingOf(id: SectionId): string {
  return `${SECTION[id].emoji} ${SECTION[id].title}`;
}

function sectionText(
  id: SectionId,
  report: CheckReport,
  sections: Sections,
  names: CaseNames,
  options: ComparisonMarkdownOptions,
): string {
  const cases = sections[id];
  if (cases.length === 0) return '';
  const notesOf = ratchetNotes(report, sections);
  const reasons = cases.slice(0, MOST_ROWS).map((one) => {
    const notes = notesOf(one).map((note) => `<br>${markdownText(note)}`);
    return `- ${markdownCode(names.nameOf(one))}: ${markdownText(one.reason)}${notes.join('')}`;
  });
  const left = id === 'improved' && report.baseline !== undefined ? ' (baseline not updated)' : '';
  const faults = cases
    .slice(0, MOST_ROWS)
    .flatMap((one) =>
      one.fault === undefined ? [] : [`#### ${markdownCode(names.nameOf(one))}`, faultMarkdown(one.fault)],
    );
  return [
    `### ${headingOf(id)}${left}`,
    caseTable(cases, report, names, options),
    reasons.join('\n'),
    ...faults,
  ].join('\n\n');
}

function caseTable(
  cases: readonly CaseComparison[],
  { comparison }: CheckReport,
  { nameOf }: CaseNames,
  { samples }: ComparisonMarkdownOptions,
): string {
  const columns = COMPARISON_COLUMNS.filter(({ cell }) => cases.some((one) => cell(one) !== ''));
  const bar = cases.some(({ state }) => state === 'estimated')
    ? new IntervalBar(comparison, BAR_CELLS)
    : undefined;
  const shown = cases.slice(0, MOST_ROWS);
  const sparks = shown.map((one) =>
    samples === undefined ? undefined : sparklinesOf(seriesOfCase(samples, one), SPARK_BINS),
  );
  const hasSparks = sparks.some((one) => one !== undefined);
  const header = [
    'case',
    ...columns.map((column) => column.header),
    ...(bar === undefined ? [] : [fixed(bar.header())]),
    ...(hasSparks ? ['samples'] : []),
  ];
  const rule = header.map((_, index) => (index < 1 || index >= 1 + columns.length ? ':--' : '--:'));
  const rows = shown.map((one, index) => {
    const spark = sparks[index];
    return [
      markdownCode(nameOf(one)),
      ...columns.map(({ id, cell }) => {
        const text = cell(one).replace('<', '&lt;');
        return id === 'change' && text !== '' ? `**${text}**` : text;
      }),
      ...(bar === undefined ? [] : [fixed(bar.bar(one))]),
      ...(hasSparks ? [spark === undefined ? '' : `${fixed(spark.base)} → ${fixed(spark.head)}`] : []),
    ];
  });
  const table = [header, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  const more = cases.length - shown.length;
  return more === 0 ? table : `${table}\n\nand ${more} more: the JSON report has all of them.`;
}

/** Drawn text, each cell as wide as the next: spaces that no renderer folds. */
export function fixed(text: string): string {
  return `\`${text.replaceAll(' ', '\u00A0')}\``;
}

export function clockText({ maintained }: Sections, { nameOf }: CaseNames): string {
  return maintained
    .filter(isClockChange)
    .slice(0, MOST_ROWS)
    .map((one) => `- ${markdownCode(nameOf(one))}: ${markdownText(one.reason)}`)
    .join('\n');
}

function picturesText(pictures: readonly PictureLink[]): string {
  return pictures
    .flatMap(({ title, url }) => {
      const target = pictureUrl(url);
      return target === undefined ? [] : [`![${markdownText(title)}](<${target}>)`];
    })
    .join('\n\n');
}

/** A path or a web address, with what could end it early encoded; other schemes are not links to pictures. */
function pictureUrl(url: string): string | undefined {
  const scheme = /^\s*([a-z][a-z0-9+.-]*):/iu.exec(url)?.[1]?.toLowerCase();
  if (scheme !== undefined && scheme !== 'https' && scheme !== 'http') return undefined;
  return encodeURI(url).replaceAll(/[<>()]/gu, (character) => `%${character.codePointAt(0)!.toString(16)}`);
}

function stepsText(report: CheckReport, sections: Sections): string {
  const steps = nextSteps(report, sections);
  if (steps.length === 0) return '';
  return ['### Next\n', ...steps.map(({ why, command }) => `- ${why}: \`${command}\``)].join('\n');
}

export function readingText({ comparison }: CheckReport, { samples }: ComparisonMarkdownOptions): string {
  const { regression_pct, improvement_pct } = comparison.thresholds;
  const level = levelText(comparison.cases);
  const slowdown = markdownText(thresholdText(regression_pct, caseThresholds(comparison.cases)));
  return [
    `Positive is faster. A case is judged by where the interval of its change lies: a slowdown of ${slowdown} fails, a gain of ${improvement_pct} % is an improvement. The unit of replication is the process; *runs* are processes of the baseline and of the candidate. The bar shows the interval between the thresholds (\`┊\`) and no change (\`│\`).`,
    level,
    'δ (Cliff) and p, adjusted for the number of cases, are reported beside the verdict.',
    samples === undefined ? '' : '*samples*: distribution of baseline → candidate over one axis.',
  ]
    .filter((part) => part !== '')
    .join(' ');
}

export function environmentText({ environment }: CheckReport): string {
  const facts = hostFacts({ environment, measurements: [] });
  if (facts.length === 0) return '';
  const rows = facts.map(({ name, value }) => `| ${name} | ${markdownValue(value)} |`);
  return ['| environment | |', '| :-- | :-- |', ...rows].join('\n');
}
