import { speedupText as ratioText } from '../../model/text/number-text.ts';
import { REJECTIONS, type Rejection } from '../../model/tune/rejection.ts';
import type { Confirmation, Study } from '../../model/tune/study-report.ts';
import { measuredTrials, type MeasuredTrial } from '../../model/tune/measured-trials.ts';
import type { Variant } from '../../model/problem/variant.ts';

export const STUDY_TITLES: Readonly<Record<Study['result'], string>> = {
  improved: 'A faster variant, confirmed',
  kept: 'The default stays',
  undecided: 'Undecided',
  unconfirmed: 'Not confirmed',
  'none-valid': 'No variant is valid',
};

export const ENDED_BY: Readonly<Record<string, string>> = {
  trials: 'all trials were spent',
  time: 'the time was up',
  cost: 'the cost budget was spent',
  space: 'every variant was tried',
  interrupted: 'it was interrupted',
};

export function speedupText({ speedup, speedup_ci }: Pick<Confirmation, 'speedup' | 'speedup_ci'>): string {
  if (speedup === undefined) return 'not known';
  if (speedup_ci === undefined) return ratioText(speedup);
  const [low, high] = speedup_ci;
  return `${ratioText(speedup)} (interval ${ratioText(low)} … ${ratioText(high)})`;
}

/** The fastest trials, each another program. */
export function fastestTrials({ trials }: Study, count: number): MeasuredTrial[] {
  return measuredTrials(trials)
    .filter(({ trial }) => trial.same_binary_as === undefined)
    .slice(0, count);
}

export interface RejectionRow {
  readonly reason: Rejection;
  readonly count: number;
  readonly meaning: string;
  /** What the first of them said. */
  readonly example: string;
}

export function rejectionRows({ rejections, trials }: Study): RejectionRow[] {
  return (Object.entries(rejections) as [Rejection, number][])
    .toSorted((one, other) => other[1] - one[1])
    .map(([reason, count]) => {
      const first = trials.find(
        ({ outcome }) => outcome?.status === 'rejected' && outcome.reason === reason,
      )?.outcome;
      return {
        reason,
        count,
        meaning: REJECTIONS[reason],
        example: first?.status === 'rejected' ? first.message : '',
      };
    });
}

/** Values that differ from the default's. */
export function changedFrom(standard: Variant, variant: Variant): Variant {
  return Object.fromEntries(Object.entries(variant).filter(([name, value]) => standard[name] !== value));
}

/** As a compiler takes it: booleans are 1 and 0. */
export function defineText(name: string, value: Variant[string]): string {
  return `${name}=${typeof value === 'boolean' ? Number(value) : value}`;
}

export function percentOf(share: number): string {
  return `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`;
}
