import { caseId } from '../model/case-key.ts';
import type { CheckReport } from '../model/check-report.ts';
import type { CaseComparison, Comparison } from '../model/comparison.ts';
import { incorrectKindOf } from '../model/fault.ts';
import { isHeldBack } from '../model/judge-change.ts';
import { VERDICT, type Verdict, type VerdictRow } from '../model/verdict.ts';
import { counted } from './comparison-text.ts';

/** Where a case stands in a report. `advanced`: improved, and the baseline moved to it. */
export type SectionId = Verdict | 'waived' | 'advanced';

type Section = Pick<VerdictRow, 'tone' | 'emoji' | 'title' | 'counted'>;

/** Most urgent first. */
export const SECTION: Readonly<Record<SectionId, Section>> = {
  incorrect: VERDICT.incorrect,
  regressed: VERDICT.regressed,
  undecided: VERDICT.undecided,
  advanced: {
    ...VERDICT.improved,
    title: `${VERDICT.improved.title} (baseline updated)`,
    counted: 'improved, baseline updated',
  },
  improved: VERDICT.improved,
  waived: { tone: 'warn', emoji: '⚠️', title: 'Waived', counted: 'waived' },
  new: VERDICT.new,
  maintained: VERDICT.maintained,
};

export const SECTION_IDS = Object.keys(SECTION) as readonly SectionId[];

export type Sections = Readonly<Record<SectionId, readonly CaseComparison[]>>;

/** Each case in one section, the largest slowdown first. */
export function comparisonSections(report: CheckReport): Sections {
  const waived = new Set(report.waived.map(({ key }) => caseId(key)));
  const advanced = new Set(report.advanced.map(({ key }) => caseId(key)));
  const sections = Object.fromEntries(SECTION_IDS.map((id) => [id, []])) as unknown as Record<
    SectionId,
    CaseComparison[]
  >;
  for (const one of report.comparison.cases) {
    const id = caseId(one);
    if (waived.has(id) && VERDICT[one.verdict].isWaivable) sections.waived.push(one);
    else if (advanced.has(id) && one.verdict === 'improved') sections.advanced.push(one);
    else sections[one.verdict].push(one);
  }
  for (const id of SECTION_IDS) sections[id].sort((one, other) => changeOf(one) - changeOf(other));
  return sections;
}

/** All cases, most urgent first. */
export function casesByUrgency(sections: Sections): CaseComparison[] {
  return SECTION_IDS.flatMap((id) => sections[id]);
}

function changeOf(one: CaseComparison): number {
  return one.state === 'estimated' ? one.change_pct : 0;
}

/** A waived slowdown is told from one that fails. */
export function lookOf(
  one: CaseComparison,
  { waived }: Sections,
): Pick<VerdictRow, 'tone' | 'mark' | 'emoji'> & { readonly word: string } {
  const look = VERDICT[one.verdict];
  if (!waived.includes(one)) return { ...look, word: one.verdict };
  return { ...look, mark: '~', tone: SECTION.waived.tone, word: `${one.verdict}, waived` };
}

/** The verdict as a sentence with its count. */
export function verdictSentence(report: CheckReport, sections: Sections): string {
  const total = report.comparison.cases.length;
  if (total === 0) return 'there is nothing to compare';
  const waived = sections.waived.length;
  const aside = waived === 0 ? '' : `; ${counted(waived, 'slowdown is', 'slowdowns are')} waived`;
  return `${mainClause(report, sections, total)}${aside}`;
}

function mainClause(report: CheckReport, sections: Sections, total: number): string {
  const of = (count: number, one: string, many: string): string =>
    `${count} of ${counted(total, 'case')} ${count === 1 ? one : many}`;
  const { verdict } = report;
  const count = sections[verdict].length;
  const [one, many] = clauseOf(report.comparison, verdict);
  const plain = of(count, one, many);
  switch (verdict) {
    case 'incorrect':
      return of(count, ...incorrectClause(sections.incorrect));
    case 'undecided':
      return isHeldBack(report.comparison)
        ? 'the change alters its own judge, and a person has to accept that'
        : plain;
    case 'improved':
      return `${of(count + sections.advanced.length, one, many)}, none slower`;
    case 'maintained':
      return count === 0 ? 'no case fails' : maintainedClause(report, sections, of);
    case 'regressed':
    case 'new':
      return plain;
  }
}

/** A kernel beside a reference did not get faster: it is. */
const KERNEL_CLAUSE: Partial<Record<Verdict, VerdictRow['clause']>> = {
  improved: ['is faster than the reference', 'are faster than the reference'],
  regressed: ['is slower than the reference', 'are slower than the reference'],
  maintained: ['is not slower than the reference', 'are not slower than the reference'],
};

function clauseOf({ kernels }: Comparison, verdict: Verdict): VerdictRow['clause'] {
  return (kernels && KERNEL_CLAUSE[verdict]) ?? VERDICT[verdict].clause;
}

/** For one case, and for more: a kernel that is refused though its results are right gave no wrong result. */
function incorrectClause(cases: readonly CaseComparison[]): readonly [one: string, many: string] {
  switch (incorrectKindOf(cases.map(({ fault }) => fault))) {
    case 'wrong':
      return ['gives a wrong result', 'give wrong results'];
    case 'refused':
      return ['is refused', 'are refused'];
    case 'broken':
      return ['does not build', 'do not build'];
    case undefined:
      return VERDICT.incorrect.clause;
  }
}

/** «Maintained» means that a slowdown is excluded: where a gain is not, that is no speed that was kept. */
function maintainedClause(
  { comparison }: CheckReport,
  { maintained }: Sections,
  of: (count: number, one: string, many: string) => string,
): string {
  const open = maintained.filter(
    (one) => one.state === 'estimated' && one.ci_pct[1] > comparison.thresholds.improvement_pct,
  );
  const count = maintained.length;
  if (open.length === 0) return of(count, ...clauseOf(comparison, 'maintained'));
  const which =
    open.length === count
      ? count === 1
        ? 'it is'
        : 'they are'
      : counted(open.length, 'of them is', 'of them are');
  return `${of(count, 'is not slower', 'are not slower')}; whether ${which} faster is not clear from this`;
}
