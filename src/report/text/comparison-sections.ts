import { caseId } from '../../model/judge/case-key.ts';
import type { CheckReport } from '../../model/reports/check-report.ts';
import type { CaseComparison } from '../../model/judge/comparison.ts';
import { VERDICT, type Verdict, type VerdictRow } from '../../model/judge/verdict.ts';

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

/** Each case in one section, the largest slowdown first, and of gains the largest gain. */
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
  for (const id of ['improved', 'advanced'] as const) sections[id].reverse();
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
