import { changeText } from '../../model/text/change-text.ts';
import type { CheckReport } from '../../model/reports/check-report.ts';
import type { CaseComparison, CaseKey, ComparedKernels } from '../../model/judge/comparison.ts';
import { signed } from '../../model/text/number-text.ts';
import { variantText } from '../../model/problem/variant-text.ts';
import { plainText } from './plain-text.ts';
import { decimalsFor, formatIn, timeUnit } from './units.ts';

/** What names a case beside its own name, as text; empty where it has none. */
const DETAILS = {
  kernel: ({ kernel }: CaseKey): string => plainText(kernel ?? ''),
  variant: ({ variant }: CaseKey): string => plainText(variantText(variant ?? {})),
  mode: ({ mode }: CaseKey): string => mode ?? '',
};

export interface CaseNames {
  /** A case's name with as much beside it as tells it from the report's other cases. */
  readonly nameOf: (key: CaseKey) => string;
  /** What all of the cases share, and their names therefore leave out. */
  readonly shared: string;
}

export function caseNames(keys: readonly CaseKey[]): CaseNames {
  const differ = (detail: (key: CaseKey) => string): boolean => new Set(keys.map(detail)).size > 1;
  const { kernel, variant, mode } = DETAILS;
  const inFront = differ(kernel) ? [kernel] : [];
  const behind = [variant, mode].filter(differ);
  const first = keys[0];
  const common = [kernel, variant, mode].filter((detail) => !differ(detail));
  const present = (text: string): boolean => text !== '';
  return {
    nameOf: (key) => {
      const where = [...inFront.map((detail) => detail(key)), plainText(key.case)].filter(present).join('/');
      const details = behind.map((detail) => detail(key)).filter(present);
      return details.length === 0 ? where : `${where} (${details.join(', ')})`;
    },
    shared:
      first === undefined
        ? ''
        : common
            .map((detail) => detail(first))
            .filter(present)
            .join(' · '),
  };
}

export function pText(p: number): string {
  return p < 0.001 ? '<0.001' : p.toFixed(3);
}

export function deltaText(delta: number): string {
  return signed(delta, (size) => size.toFixed(2));
}

type CaseTimes = Pick<CaseComparison, 'baseline_ms' | 'candidate_ms'>;

/** Both times of a case in one unit; empty where there is none. */
export function timesOf({ baseline_ms, candidate_ms }: CaseTimes): {
  baseline: string;
  candidate: string;
  unit: string;
} {
  const known = [baseline_ms, candidate_ms].filter((time) => time !== undefined);
  const unit = timeUnit(known);
  const decimals = decimalsFor(known, unit, 4);
  const text = (time_ms: number | undefined): string =>
    time_ms === undefined ? '' : formatIn(time_ms, unit, decimals);
  return {
    baseline: text(baseline_ms),
    candidate: text(candidate_ms),
    unit: known.length === 0 ? '' : unit.name,
  };
}

/** What is compared with what: variants or kernels of one state, or two commits. */
export function sidesText(report: CheckReport): string[] {
  const { base_commit, variants } = report;
  const { kernels } = report.comparison;
  const commits = [plainText(base_commit ?? '').slice(0, 12), headCommitText(report) ?? ''];
  if (kernels !== undefined) {
    const isOneState = base_commit === undefined || base_commit === report.commit;
    return [...(isOneState ? commits.slice(1) : commits), kernelsText(kernels)];
  }
  if (variants === undefined) return [commits.filter((one) => one !== '').join(' → ')];
  return [...new Set(commits), variantsText(variants)];
}

/** `b32c5d1f09aa`, or `b32c5d1f09aa + changes` where no commit holds what was measured. */
export function headCommitText({ commit, dirty }: Pick<CheckReport, 'commit' | 'dirty'>): string | undefined {
  if (commit === undefined) return undefined;
  return `${plainText(commit).slice(0, 12)}${dirty === true ? ' + changes' : ''}`;
}

/** `LANES=1 → LANES=16`. */
export function variantsText({ base, head }: NonNullable<CheckReport['variants']>): string {
  return [base, head].map((one) => plainText(variantText(one)) || 'the defaults').join(' → ');
}

/** `mine (candidate) against reference (baseline)`. */
export function kernelsText({ candidate, baseline }: ComparedKernels): string {
  return `${plainText(candidate)} (candidate) against ${plainText(baseline)} (baseline)`;
}

/** "1 case", "3 cases". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

type Advance = CheckReport['advanced'][number];

export function advanceText({ old_ms, new_ms, change_pct }: Advance): string {
  const { baseline, candidate, unit } = timesOf({ baseline_ms: old_ms, candidate_ms: new_ms });
  return `baseline updated: ${baseline} → ${candidate} ${unit} (${changeText({ change_pct })}, confirmed)`;
}

export function waiverText(waiver: CheckReport['waived'][number]['waiver']): string {
  const { author, expires, reason, slower_pct } = waiver;
  const size = slower_pct === undefined ? '' : `, up to ${slower_pct} % slower`;
  return `waived by ${plainText(author)} until ${plainText(expires)}${size}: ${plainText(reason)}`;
}
