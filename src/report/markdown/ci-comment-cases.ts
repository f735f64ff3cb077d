/** The cases of a check in the pull request's comment: openly what changed and why, folded what is behind it. */
import { caseId } from '../../model/judge/case-key.ts';
import { intervalWords, roughChangeWords, sizesText } from '../../model/text/change-text.ts';
import type { CheckProfile, CheckReport } from '../../model/reports/check-report.ts';
import type { CaseComparison } from '../../model/judge/comparison.ts';
import { ratesTable } from './ci-rates.ts';
import { lineLink, type CiLinks } from './ci-links.ts';
import { plainLinesOf } from './ci-sentence.ts';
import { IntervalBar } from '../comparison-interval-bar.ts';
import {
  clockText,
  environmentText,
  fixed,
  headText,
  noticeLine,
  readingText,
} from './comparison-markdown.ts';
import { comparisonNotices, ratchetNotes, type Notice } from '../text/comparison-notices.ts';
import { casesByUrgency, comparisonSections, lookOf, type Sections } from '../text/comparison-sections.ts';
import { caseNames, deltaText, pText, timesOf, type CaseNames } from '../text/comparison-text.ts';
import { faultMarkdown } from './fault-markdown.ts';
import { folded, joined, markdownTable, moreItems, preformatted } from './markdown-blocks.ts';
import { markdownCell, markdownCode, markdownText } from './markdown-text.ts';

/** Rows that stand openly: more of them are not read in five seconds. */
const OPEN_ROWS = 8;
/** Sentences are long, and the tables above them say the same in numbers. */
const MOST_REASONS = 20;
const MOST_FAULTS = 5;
const MOST_ALARMS = 3;
const FAULT_LINES = 30;
/** What fits beside a name and three numbers in the width of a comment. */
const BAR_CELLS = 17;

export class CiCases {
  readonly #check: CheckReport;
  readonly #links: CiLinks;
  readonly #rows: number;
  readonly #sections: Sections;
  readonly #names: CaseNames;
  /** All that did not keep its speed, most urgent first. */
  readonly #changed: readonly CaseComparison[];

  /** `rows`: of each table and list. */
  constructor(check: CheckReport, links: CiLinks, rows: number) {
    this.#check = check;
    this.#links = links;
    this.#rows = rows;
    this.#sections = comparisonSections(check);
    this.#names = caseNames(check.comparison.cases);
    this.#changed = casesByUrgency({ ...this.#sections, maintained: [] });
  }

  open(): string[] {
    const alarms = this.#notices('bad');
    return [
      alarms.slice(0, MOST_ALARMS).map(noticeLine).join('\n'),
      this.#table(this.#changed.slice(0, OPEN_ROWS)),
      this.#why(),
    ];
  }

  folded(): string[] {
    const more = this.#changed.slice(OPEN_ROWS);
    const { maintained } = this.#sections;
    const notes = [...this.#notices('bad').slice(MOST_ALARMS), ...this.#notices('warn', 'note')];
    return [
      folded(`${this.#changed.length} cases changed: the other ${more.length}`, this.#table(more)),
      folded('Details of each case', this.#reasons(), this.#statistics()),
      folded('Rates, and how close they are to the device’s limits', this.#rates()),
      folded('What is wrong, and how to reproduce it', ...this.#faults()),
      folded(`Notes (${notes.length})`, notes.map(noticeLine).join('\n')),
      folded(
        `✔️ Unchanged (${maintained.length})`,
        this.#table(maintained),
        clockText({ ...this.#sections, maintained: maintained.slice(0, this.#rows) }, this.#names),
      ),
    ];
  }

  /** How the numbers came about, and how to read them. */
  background(): string[] {
    return [readingText(this.#check, {}), headText(this.#check, this.#names), environmentText(this.#check)];
  }

  #notices(...tones: readonly Notice['tone'][]): Notice[] {
    return comparisonNotices(this.#check, this.#names).filter(({ tone }) => tones.includes(tone));
  }

  /** Five columns: what fits without scrolling sideways. */
  #table(cases: readonly CaseComparison[]): string {
    if (cases.length === 0) return '';
    const shown = cases.slice(0, this.#rows);
    const rows = shown.map((one) => {
      const { baseline, candidate, unit } = timesOf(one);
      const isEstimated = one.state === 'estimated';
      return [
        `${lookOf(one, this.#sections).emoji} ${markdownCell(this.#names.nameOf(one))}`,
        baseline === '' ? '' : unbroken(`${baseline} ${unit}`),
        candidate === '' ? '' : unbroken(`${candidate} ${unit}`),
        this.#changeCell(one),
        isEstimated ? unbroken(sizesText(one) ?? intervalWords(one.ci_pct)) : '',
      ];
    });
    const left = cases.length - shown.length;
    return joined([
      shown.length === 0 ? '' : markdownTable(['case', 'before', 'now', 'change', 'interval'], rows),
      left === 0 ? '' : `and ${left} more: the JSON report has all of them.`,
    ]);
  }

  /** The size where there is one, else the verdict; a waived or advanced case says so. */
  #changeCell(one: CaseComparison): string {
    const { waived, advanced } = this.#sections;
    const { word } = lookOf(one, this.#sections);
    if (one.state !== 'estimated' || one.verdict === 'incorrect') return `**${word}**`;
    const size = unbroken(roughChangeWords(one.change_pct));
    if (one.verdict === 'undecided') return `${size}, **undecided**`;
    if (one.verdict === 'maintained') return size;
    const aside = waived.includes(one) ? ', waived' : advanced.includes(one) ? ', now the baseline' : '';
    return `**${size}**${aside}`;
  }

  /** One sentence on the most urgent case that something is known about. */
  #why(): string {
    const [first] = this.#changed;
    if (first === undefined) return '';
    const known = this.#changed
      .slice(0, OPEN_ROWS)
      .flatMap((one) => {
        const text = this.#cause(one);
        return text === undefined ? [] : [{ one, text }];
      })
      .at(0);
    if (known === undefined) return '';
    const isObvious = this.#changed.length === 1;
    const of = isObvious ? '' : ` (${markdownCode(this.#names.nameOf(known.one))})`;
    return `**Why**${of}: ${known.text}`;
  }

  #cause(one: CaseComparison): string | undefined {
    if (one.fault !== undefined) return markdownText(plainLinesOf(one.fault.message)[0] ?? '');
    const profile = this.#profileOf(one);
    if (profile !== undefined) return this.#profiled(profile);
    return one.verdict === 'undecided' ? markdownText(one.reason) : undefined;
  }

  #profileOf(one: CaseComparison): CheckProfile | undefined {
    const id = caseId(one);
    return this.#check.profiles?.find(({ key }) => caseId(key) === id);
  }

  /** The line that the change comes from, else the sentence of the profiles, else what is slow now. */
  #profiled({ at, summary, head }: CheckProfile): string | undefined {
    if (at !== undefined) {
      const place = { commit: this.#check.commit, path: at.path, line: at.line };
      const link = lineLink(this.#links, place, 'open the line');
      return `${markdownText(at.text)}${link === '' ? '' : ` (${link})`}`;
    }
    if (summary !== undefined) return markdownText(summary);
    const finding = head?.finding;
    if (finding === undefined) return undefined;
    return markdownText(`${finding.diagnosis} → ${finding.fix}`);
  }

  /** New cases have nothing to say beyond their row. */
  #reasons(): string {
    const notesOf = ratchetNotes(this.#check, this.#sections);
    const told = this.#changed.filter(
      (one) => one.verdict !== 'new' && !(one.verdict === 'incorrect' && one.fault !== undefined),
    );
    const shown = told.slice(0, Math.min(this.#rows, MOST_REASONS)).map((one) => {
      const notes = notesOf(one).map((note) => `<br>${markdownText(note)}`);
      return `- ${markdownCell(this.#names.nameOf(one))}: ${markdownText(one.reason)}${notes.join('')}`;
    });
    return [...shown, ...moreItems(told.length - shown.length, 'case')].join('\n');
  }

  #rates(): string {
    const cases = [...this.#changed, ...this.#sections.maintained];
    return ratesTable(this.#check, cases, { names: this.#names, most: Math.min(this.#rows, MOST_REASONS) });
  }

  /** The interval as a bar, and what is reported beside the verdict. */
  #statistics(): string {
    const estimated = this.#changed.filter((one) => one.state === 'estimated');
    const shown = estimated.slice(0, Math.min(this.#rows, MOST_REASONS));
    if (shown.length === 0) return '';
    const bar = new IntervalBar(this.#check.comparison, BAR_CELLS);
    const rows = shown.map((one) => {
      const [base, head] = one.processes;
      return [
        markdownCell(this.#names.nameOf(one)),
        fixed(bar.bar(one)),
        deltaText(one.cliffs_delta),
        pText(one.p_adjusted).replace('<', '&lt;'),
        `${base}+${head}`,
      ];
    });
    return markdownTable(['case', fixed(bar.header()), 'δ', 'p adj', 'runs'], rows, 2);
  }

  #faults(): string[] {
    const wrong = this.#sections.incorrect.filter(({ fault }) => fault !== undefined);
    const shown = distinctFaults(wrong).slice(0, Math.min(this.#rows, MOST_FAULTS));
    const texts = shown.map((one) => {
      const { fault } = one;
      if (fault === undefined) return '';
      const lines = plainLinesOf(fault.message).map(markdownText);
      const name = fault.during === 'build' ? (one.kernel ?? '') : this.#names.nameOf(one);
      return joined([
        `**${markdownCell(name)}**: ${lines[0] ?? ''}`,
        lines.length > 1 ? preformatted(lines.slice(0, FAULT_LINES)) : '',
        fault.during === 'build' ? '' : faultMarkdown(fault),
      ]);
    });
    return [...texts, ...moreItems(wrong.length - shown.length, 'incorrect case')];
  }
}

/** A number stays in one line: where a row is too long, its name is broken. */
function unbroken(text: string): string {
  return text.replaceAll(' ', '\u00A0');
}

/** A kernel that does not build says so once, not once per case. */
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
