/**
 * What a comparison came to, in one line: which kernel, how much, in how many cases. The first line of the pull
 * request's comment, the title of the check run and the last line of a terminal all say this sentence.
 */
import { roughChangeWords, shortSize, sizesText } from '../../model/text/change-text.ts';
import type { CheckReport } from '../../model/reports/check-report.ts';
import type { CaseComparison, Comparison } from '../../model/judge/comparison.ts';
import { incorrectKindOf } from '../../model/measure/fault.ts';
import { isHeldBack } from '../../model/judge/judge-change.ts';
import { casesByUrgency, type Sections } from './comparison-sections.ts';
import { counted } from './comparison-text.ts';
import { clip, plainText } from './plain-text.ts';

/** Kernels that are named; of the others only the number is told. */
const NAMED_KERNELS = 2;
/** A longer name would leave no room for what is said about it. */
const NAME_CHARACTERS = 60;

/** Cases of one kernel about which the same is to be said. */
interface KernelGroup {
  /** Empty where the files do not say which kernel it is. */
  readonly kernel: string;
  readonly cases: readonly CaseComparison[];
  /** How many cases of the kernel were compared in all. */
  readonly total: number;
}

export function verdictSentence(report: CheckReport, sections: Sections): string {
  if (report.comparison.cases.length === 0) return 'there is nothing to compare';
  const faster = report.verdict === 'regressed' ? sections.improved.length + sections.advanced.length : 0;
  const waived = sections.waived.length;
  return [
    mainClause(report, sections),
    ...(faster === 0 ? [] : [`${counted(faster, 'case')} faster`]),
    ...(waived === 0 ? [] : [`${counted(waived, 'slowdown is', 'slowdowns are')} waived`]),
  ].join('; ');
}

function mainClause(report: CheckReport, sections: Sections): string {
  const { comparison, verdict } = report;
  const than = thanText(comparison);
  const told = (cases: readonly CaseComparison[], say: (group: KernelGroup) => string): string =>
    listed(kernelGroups(cases, sections), say);
  switch (verdict) {
    case 'incorrect':
      return told(sections.incorrect, incorrectClause);
    case 'regressed':
      return told(sections.regressed, (group) => changedClause(group, than));
    case 'undecided':
      return isHeldBack(comparison)
        ? 'the change alters its own judge, and a person has to accept that'
        : told(sections.undecided, undecidedClause);
    case 'improved': {
      const faster = [...sections.improved, ...sections.advanced];
      return `${told(faster, (group) => changedClause(group, than))}, none slower`;
    }
    case 'new':
      return told(sections.new, (group) => named(group, 'new'));
    case 'maintained':
      return maintainedClause(comparison, sections);
  }
}

/** The kernel that another is compared with, by its name: either may be called the reference. */
function thanText({ kernels }: Pick<Comparison, 'kernels'>): string {
  return kernels === undefined ? '' : ` than ${clip(plainText(kernels.baseline), NAME_CHARACTERS)}`;
}

/** Cases by kernel, the kernel with the largest slowdown first, or, where all got faster, with the largest gain. */
function kernelGroups(cases: readonly CaseComparison[], sections: Sections): KernelGroup[] {
  const totals = new Map<string, number>();
  for (const one of casesByUrgency(sections)) totals.set(nameOf(one), (totals.get(nameOf(one)) ?? 0) + 1);
  const groups = new Map<string, CaseComparison[]>();
  for (const one of cases) groups.set(nameOf(one), [...(groups.get(nameOf(one)) ?? []), one]);
  return [...groups]
    .map(([kernel, some]) => ({ kernel, cases: some, total: totals.get(kernel) ?? some.length }))
    .toSorted((one, other) => Math.abs(largestOf(other.cases)) - Math.abs(largestOf(one.cases)));
}

function nameOf({ kernel }: CaseComparison): string {
  return clip(plainText(kernel ?? ''), NAME_CHARACTERS);
}

function listed(groups: readonly KernelGroup[], say: (group: KernelGroup) => string): string {
  const others = groups.slice(NAMED_KERNELS);
  const rest = others.length === 0 ? [] : [`${counted(others.length, 'more kernel')} as well`];
  return [...groups.slice(0, NAMED_KERNELS).map(say), ...rest].join('; ');
}

/**
 * `attention is 51 % slower on small_128 (41 to 59 %)`, or of several cases `attention is up to 51 % slower in 2 of 7
 * cases`.
 */
function changedClause(group: KernelGroup, than: string): string {
  const { kernel, cases, total } = group;
  const [only] = cases;
  const is = kernel === '' ? '' : 'is ';
  if (cases.length !== 1 || only?.state !== 'estimated') return named(group, `${is}${sizeOf(cases)}${than}`);
  const sizes = sizesText(only);
  const where = `on ${clip(plainText(only.case), NAME_CHARACTERS)}${sizes === undefined ? '' : ` (${sizes})`}`;
  const share = total === 1 ? '' : `, 1 of ${total} cases`;
  return `${kernel === '' ? '' : `${kernel} `}${is}${sizeOf(cases)}${than} ${where}${share}`;
}

/** `attention keeps its speed in 2 of 7 cases`. A kernel's only case is named instead of counted. */
function named({ kernel, cases, total }: KernelGroup, what: string): string {
  const where = total === 1 ? plainText(cases[0]!.case) : `${cases.length} of ${total} cases`;
  return [...(kernel === '' ? [] : [kernel]), what, 'in', clip(where, NAME_CHARACTERS)].join(' ');
}

/** Of several cases the largest change; `up to` where others changed less. */
function sizeOf(cases: readonly CaseComparison[]): string {
  const words = new Set(changesOf(cases).map(roughChangeWords));
  const largest = roughChangeWords(largestOf(cases));
  return words.size > 1 ? `up to ${largest}` : largest;
}

function changesOf(cases: readonly CaseComparison[]): number[] {
  return cases.flatMap((one) => (one.state === 'estimated' ? [one.change_pct] : []));
}

function largestOf(cases: readonly CaseComparison[]): number {
  return changesOf(cases).reduce((most, one) => (Math.abs(one) > Math.abs(most) ? one : most), 0);
}

/** A kernel that is refused though its results are right gave no wrong result. */
function incorrectClause(group: KernelGroup): string {
  switch (incorrectKindOf(group.cases.map(({ fault }) => fault))) {
    case 'wrong':
      return named(group, group.kernel === '' ? 'wrong results' : 'gives wrong results');
    case 'refused':
      return named(group, group.kernel === '' ? 'refused' : 'is refused');
    case 'broken':
      return group.kernel === ''
        ? `${counted(group.cases.length, 'case does', 'cases do')} not build`
        : `${group.kernel} does not build`;
    case undefined:
      return named(group, group.kernel === '' ? 'incorrect' : 'is incorrect');
  }
}

/** What is not excluded: the largest slowdown that the intervals still hold. */
function undecidedClause(group: KernelGroup): string {
  const low = Math.min(0, ...group.cases.map((one) => (one.state === 'estimated' ? one.ci_pct[0] : 0)));
  if (low === 0) return named(group, 'undecided');
  return `${named(group, `may be up to ${roughChangeWords(low)}`)}: undecided`;
}

/** "Maintained" means that a slowdown is excluded: where a gain is not, the speed was not merely kept. */
function maintainedClause({ thresholds, kernels }: Comparison, sections: Sections): string {
  const { maintained } = sections;
  if (maintained.length === 0) return 'no case fails';
  const open = maintained.filter(
    (one) => one.state === 'estimated' && one.ci_pct[1] > thresholds.improvement_pct,
  );
  const groups = kernelGroups(maintained, sections);
  const isOne = groups.length === 1;
  const all = {
    kernel: isOne ? groups[0]!.kernel : counted(groups.length, 'kernel'),
    cases: maintained,
    total: isOne ? groups[0]!.total : casesByUrgency(sections).length,
  };
  const isOnlyOne = isOne || all.kernel === '';
  if (kernels !== undefined && open.length === 0) {
    return named(all, `${isOnlyOne ? 'is' : 'are'} not slower${thanText({ kernels })}`);
  }
  if (open.length === 0) {
    const kept = all.kernel === '' ? 'no change' : isOnlyOne ? 'keeps its speed' : 'keep their speed';
    return `${named(all, kept)}: a slowdown of ${shortSize(thresholds.regression_pct)} % is excluded`;
  }
  const whole = isOnlyOne ? 'it is' : 'they are';
  const which = open.length === maintained.length ? whole : counted(open.length, 'case is', 'cases are');
  const same = all.kernel === '' ? 'not slower' : `${isOnlyOne ? 'is' : 'are'} not slower`;
  return `${named(all, same)}; whether ${which} faster is not clear from this`;
}
