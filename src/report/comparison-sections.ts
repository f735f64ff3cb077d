import type { CheckReport } from '../model/check-report.ts';
import type { CaseComparison, Verdict } from '../model/comparison.ts';
import { incorrectKindOf } from '../model/fault.ts';
import { isHeldBack } from '../model/judge-change.ts';
import type { VerdictLook } from './comparison-text.ts';
import { counted, keyId, VERDICT_LOOK } from './comparison-text.ts';

/** Where a case stands in a report. `advanced`: improved, and the baseline moved to it. */
export type SectionId = Verdict | 'waived' | 'advanced';

/** Most urgent first. */
const SECTIONS: readonly SectionId[] = [
  'incorrect',
  'regressed',
  'undecided',
  'advanced',
  'improved',
  'waived',
  'new',
  'maintained',
];

export type Sections = Readonly<Record<SectionId, readonly CaseComparison[]>>;

/** Each case in one section, the largest slowdown first. */
export function comparisonSections(report: CheckReport): Sections {
  const waived = new Set(report.waived.map(({ key }) => keyId(key)));
  const advanced = new Set(report.advanced.map(({ key }) => keyId(key)));
  const sections: Record<SectionId, CaseComparison[]> = {
    incorrect: [],
    regressed: [],
    undecided: [],
    advanced: [],
    improved: [],
    waived: [],
    new: [],
    maintained: [],
  };
  for (const one of report.comparison.cases) {
    const id = keyId(one);
    // A waiver accepts a slowdown, never a wrong result.
    if (waived.has(id) && (one.verdict === 'regressed' || one.verdict === 'undecided'))
      sections.waived.push(one);
    else if (advanced.has(id) && one.verdict === 'improved') sections.advanced.push(one);
    else sections[one.verdict].push(one);
  }
  for (const id of SECTIONS) sections[id].sort((one, other) => changeOf(one) - changeOf(other));
  return sections;
}

/** All cases, most urgent first. */
export function casesByUrgency(sections: Sections): CaseComparison[] {
  return SECTIONS.flatMap((id) => sections[id]);
}

function changeOf(one: CaseComparison): number {
  return one.state === 'estimated' ? one.change_pct : 0;
}

/** A waived slowdown is told from one that fails. */
export function lookOf(one: CaseComparison, { waived }: Sections): VerdictLook & { readonly word: string } {
  const look = VERDICT_LOOK[one.verdict];
  if (!waived.includes(one)) return { ...look, word: one.verdict };
  return { ...look, mark: '~', style: 'yellow', word: `${one.verdict}, waived` };
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
  const faster = sections.improved.length + sections.advanced.length;
  switch (report.verdict) {
    case 'incorrect':
      return of(sections.incorrect.length, ...incorrectClause(sections.incorrect));
    case 'regressed':
      return of(sections.regressed.length, 'got slower', 'got slower');
    case 'undecided':
      if (isHeldBack(report.comparison))
        return 'the change alters its own judge, and a person has to accept that';
      return of(sections.undecided.length, 'is undecided', 'are undecided');
    case 'improved':
      return `${of(faster, 'got faster', 'got faster')}, none slower`;
    case 'maintained':
      if (sections.maintained.length === 0) return 'no case fails';
      return maintainedClause(report, sections, of);
    case 'new':
      return of(sections.new.length, 'is new', 'are new');
  }
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
      return ['is incorrect', 'are wrong, refused or do not build'];
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
  if (open.length === 0) return of(count, 'keeps its speed', 'keep their speed');
  const which =
    open.length === count
      ? count === 1
        ? 'it is'
        : 'they are'
      : counted(open.length, 'of them is', 'of them are');
  return `${of(count, 'is not slower', 'are not slower')}; whether ${which} faster is not clear from this`;
}
