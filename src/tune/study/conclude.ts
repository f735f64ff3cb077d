import type { Confirmation, Study, StudyResult } from '../../model/tune/study-report.ts';
import { measuredTrials } from '../../model/tune/measured-trials.ts';
import type { Trial } from '../../model/tune/study.ts';
import { variantText } from '../../model/problem/variant.ts';
import { measuredDefault } from './finalists.ts';

export interface Conclusion {
  readonly result: StudyResult;
  readonly reason: string;
  readonly best: Study['best'];
}

/** What a study has shown. A winner is one that a fresh comparison with the default says is faster. */
export function conclude(
  trials: readonly Trial[],
  confirmations: readonly Confirmation[],
  options: { readonly confirm: number; readonly improvement_pct: number; readonly isOver: boolean },
): Conclusion {
  const measured = measuredTrials(trials);
  const fastest = measured[0];
  if (fastest === undefined) {
    const what =
      trials.length === 0 ? 'No variant was tried' : `None of ${trials.length} trials passed the gates`;
    return { result: 'none-valid', reason: `${what}.`, best: undefined };
  }
  const seen = {
    trial: fastest.trial.number,
    variant: fastest.trial.variant,
    time_ms: fastest.outcome.time_ms,
  };
  const winner = confirmations
    .filter(({ verdict, speedup }) => verdict === 'improved' && speedup !== undefined)
    .toSorted((one, other) => other.speedup! - one.speedup!)[0];
  if (winner !== undefined) {
    const { trial, variant, variant_ms } = winner;
    return {
      result: 'improved',
      reason: `${variantText(variant)} is faster than the default: ${winner.reason}`,
      best: { trial, variant, time_ms: variant_ms ?? seen.time_ms },
    };
  }
  const start = measuredDefault(trials);
  if (start === undefined) {
    const rejected = trials.find(
      ({ phase, outcome }) => phase === 'default' && outcome?.status === 'rejected',
    );
    const why = rejected?.outcome?.status === 'rejected' ? ` (${rejected.outcome.message})` : '';
    return {
      result: 'unconfirmed',
      reason: `There is no measured default to compare with${why}; the fastest variant that runs is shown.`,
      best: seen,
    };
  }
  if (!options.isOver) {
    return { result: 'unconfirmed', reason: 'The study is not finished: resume it.', best: seen };
  }
  const gain_pct = 100 * (1 - seen.time_ms / start.outcome.time_ms);
  if (confirmations.length === 0 && gain_pct > 0 && options.confirm === 0) {
    return { result: 'unconfirmed', reason: 'No confirmation was asked for.', best: seen };
  }
  const open = confirmations.find(({ verdict }) => verdict === 'undecided');
  if (open !== undefined) {
    return {
      result: 'undecided',
      reason: `Whether ${variantText(open.variant)} is faster than the default is not decided: ${open.reason}`,
      best: seen,
    };
  }
  const kept = { trial: start.trial.number, variant: start.trial.variant, time_ms: start.outcome.time_ms };
  const why =
    confirmations.length === 0
      ? 'no variant was faster in the search'
      : `no finalist is faster by ${options.improvement_pct} % when measured side by side`;
  return { result: 'kept', reason: `The default stays: ${why}.`, best: kept };
}
