import { caseId } from '../model/judge/case-key.ts';
import type { CaseComparison, CaseKey, Comparison } from '../model/judge/comparison.ts';
import type { Samples } from '../model/measure/samples.ts';
import { worstVerdict } from '../model/judge/verdict.ts';
import { compareSamples } from './compare-measurements.ts';
import { applyControl } from './apply-control.ts';
import type { JudgePolicy } from './judge-policy.ts';
import type { SequentialPlan } from './sequential-plan.ts';
import { policyAtLook } from './sequential-plan.ts';

export { policyAtLook, sequentialPlan, type SequentialPlan } from './sequential-plan.ts';

/** What was measured so far. */
export interface SidesSoFar {
  readonly base: Samples;
  /** A binary once more: that of `base`, or that of `controlled`. */
  readonly control?: Samples;
  readonly controlled?: Samples;
  readonly head: Samples;
}

export interface Look {
  readonly comparison: Comparison;
  /** What was measured twice, against itself. */
  readonly control?: Comparison;
}

/** Why measuring ends. */
export type StopReason = 'decided' | 'max-processes' | 'budget';

/** Whether there is a reason to stop after a look. */
export function decideAtLook(
  comparison: Comparison,
  soFar: { readonly plan: SequentialPlan; readonly looks: number; readonly budgetSpent: boolean },
): StopReason | undefined {
  const { thresholds } = comparison;
  if (comparison.cases.every((one) => isDecided(one, thresholds, soFar.plan))) return 'decided';
  if (soFar.looks >= soFar.plan.looks.length) return 'max-processes';
  return soFar.budgetSpent ? 'budget' : undefined;
}

/**
 * More processes can make nothing else of it: neither is the verdict open, nor a gain in sight but not yet clear, nor a
 * slowdown that may yet turn out to be below the threshold. How large a gain is matters too, and an assumed spread says
 * little about that.
 */
function isDecided(
  one: CaseComparison,
  { regression_pct, improvement_pct: improvementPct }: Comparison['thresholds'],
  { excludesGains = false, settlesSlowdowns = false }: SequentialPlan,
): boolean {
  if (one.verdict === 'undecided') return false;
  if (settlesSlowdowns && one.verdict === 'regressed' && one.state === 'estimated')
    return Math.min(one.change_pct, one.median.change_pct) <= -(one.threshold_pct ?? regression_pct);
  if (one.verdict === 'improved' && one.state === 'estimated' && one.noise === 'assumed') return false;
  if (one.verdict !== 'maintained' || one.state === 'not-estimated') return true;
  const { change_pct, ci_pct, median, cycles } = one;
  if (excludesGains && ci_pct[1] >= improvementPct && cycles?.clock_change !== true) return false;
  const isNearerToAGain = Math.min(change_pct, median.change_pct) > improvementPct / 2;
  return !isNearerToAGain || cycles?.clock_change === true;
}

/**
 * Measuring that ended too soon to tell how much processes differ proves nothing. Where the plan itself is that short,
 * the judge's rule for few processes was asked for.
 */
function withoutGuess(one: CaseComparison, due: number): CaseComparison {
  if (one.state !== 'estimated' || one.noise !== 'assumed') return one;
  if (Math.min(...one.processes) >= due) return one;
  const reason = `measuring ended after ${processesTaken(one)}, too few to estimate their noise.`;
  return { ...one, verdict: 'undecided', reason };
}

/** At a look that may find nothing but an unchanged speed: one that more processes would not call a change. */
function onlySameness(
  one: CaseComparison,
  { regression_pct, improvement_pct }: Comparison['thresholds'],
): CaseComparison {
  if (one.state !== 'estimated') return one;
  const [low, high] = one.ci_pct;
  const isSame = low > -(one.threshold_pct ?? regression_pct) / 2 && high < improvement_pct / 2;
  if (one.verdict === 'maintained' && isSame) return one;
  const reason = `${processesTaken(one)} are too few to tell a change from processes that differ.`;
  return { ...one, verdict: 'undecided', reason };
}

function processesTaken({ processes: [base, head] }: CaseComparison): string {
  return `${base} process${base === 1 ? '' : 'es'} of the baseline and ${head} of the candidate`;
}

/**
 * Judges the same cases again and again as processes come in, within the error rates of one policy.
 *
 * A case that is decided keeps its verdict and needs no more processes. With Holm's correction that is sound
 * because all looks have the same share a: the chance that any case without a change has, at any look, a p-value of
 * at most a/m (m such cases) is at most the sum over looks, which is the stated rate; and where none has, Holm's
 * argument holds at every look, whichever look each of its p-values dates from. Benjamini and Hochberg's has no
 * such argument for p-values that were picked by when a case was decided, so with it all cases go on until all
 * are decided at one look.
 */
export class SequentialJudge {
  readonly #policy: JudgePolicy;
  readonly #plan: SequentialPlan;
  readonly #kept = new Map<string, { readonly row: CaseComparison; readonly control?: CaseComparison }>();
  readonly #steadiness: (key: CaseKey) => string;
  #looks = 0;

  /** `steadiness`: what a case shares with its control. */
  constructor(policy: JudgePolicy, plan: SequentialPlan, steadiness: (key: CaseKey) => string = caseId) {
    this.#policy = policy;
    this.#plan = plan;
    this.#steadiness = steadiness;
  }

  get looks(): number {
    return this.#looks;
  }

  /** Whether the next look is due with this many processes per side. */
  isDue(processes: number): boolean {
    const next = this.#plan.looks[this.#looks];
    return next !== undefined && processes >= next;
  }

  /** Whether a case still needs processes. */
  isOpen(key: CaseKey): boolean {
    return !this.#kept.has(caseId(key));
  }

  /**
   * Looks, and uses up the share of the next look in the plan. The last one may come before its number of processes when
   * time runs out: that moment is the clock's choice, not the data's.
   */
  look(
    { base, control, controlled = base, head }: SidesSoFar,
    { isLast = false }: { readonly isLast?: boolean } = {},
  ): Look {
    // Nothing comes after the last one that could find a change.
    if (isLast && this.#isForSameness) this.#looks += 1;
    const policy = policyAtLook(this.#policy, this.#plan, this.#looks);
    const due = this.#plan.looks[this.#looks]!;
    const isForSameness = this.#isForSameness;
    this.#looks += 1;
    const compare = (baseline: Samples, candidate: Samples, asked: Partial<JudgePolicy> = {}): Comparison => {
      const comparison = compareSamples(baseline, candidate, { ...policy, ...asked });
      const cases = comparison.cases.map((one) => withoutGuess(one, due));
      if (!isForSameness) return { ...comparison, cases };
      return { ...comparison, cases: cases.map((one) => onlySameness(one, comparison.thresholds)) };
    };
    const steadiness =
      control === undefined ? undefined : compare(controlled, control, { question: 'tell-apart' });
    const judged = applyControl(compare(base, head), steadiness, this.#steadiness);
    const controls = new Map(steadiness?.cases.map((one) => [this.#steadiness(one), one]));
    if (this.#policy.correction !== 'bh') this.#keepDecided(judged, controls);
    const comparison = this.#stated(judged, (one) => this.#kept.get(caseId(one))?.row);
    if (steadiness === undefined) return { comparison };
    return { comparison, control: this.#stated(steadiness, (one) => this.#kept.get(caseId(one))?.control) };
  }

  get #isForSameness(): boolean {
    return this.#plan.samenessLooks?.includes(this.#plan.looks[this.#looks]!) === true;
  }

  #keepDecided({ cases, thresholds }: Comparison, controls: ReadonlyMap<string, CaseComparison>): void {
    for (const row of cases) {
      const key = caseId(row);
      if (!isDecided(row, thresholds, this.#plan) || this.#kept.has(key)) continue;
      const control = controls.get(this.#steadiness(row));
      this.#kept.set(key, control === undefined ? { row } : { row, control });
    }
  }

  /** With what earlier looks decided, and with the rates of all looks together. */
  #stated(comparison: Comparison, kept: (one: CaseComparison) => CaseComparison | undefined): Comparison {
    const cases = comparison.cases.map((one) => kept(one) ?? one);
    const { falseAlarm, miss } = this.#policy;
    return {
      ...comparison,
      verdict: worstVerdict(cases),
      error_rates: { false_alarm: falseAlarm, miss },
      cases,
    };
  }
}
