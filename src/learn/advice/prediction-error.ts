import type { PredictionError } from '../../model/advice.ts';
import type { EndedSession } from './predict-session.ts';

const LAST = 10;
/** As predictSession takes it. */
const LEAST_MINUTES = 1;

interface Pair {
  readonly predicted: number;
  readonly interval: readonly [number, number];
  readonly actual: number;
}

/** How far the predictions of sessions that ended were off, by the factor; the order of starting says which are the last. */
export function predictionError(sessions: readonly EndedSession[]): PredictionError {
  const ended = sessions
    .filter(({ outcome }) => outcome !== undefined)
    .toSorted((one, other) => Date.parse(one.started_at) - Date.parse(other.started_at));
  const minutes = ended.map(({ prediction, outcome }) => ({
    predicted: prediction.minutes,
    interval: prediction.minutes_ci,
    actual: Math.max(outcome!.minutes, LEAST_MINUTES),
  }));
  const speedups = ended.flatMap(({ prediction, outcome }) =>
    outcome?.speedup === undefined
      ? []
      : [{ predicted: prediction.speedup, interval: prediction.speedup_ci, actual: outcome.speedup }],
  );
  return {
    sessions: ended.length,
    ...named('minutes', minutes),
    ...named('speedup', speedups),
  };
}

function named(name: 'minutes' | 'speedup', pairs: readonly Pair[]): Partial<PredictionError> {
  if (pairs.length === 0) return {};
  return {
    [`${name}_factor`]: factor(pairs),
    [`${name}_factor_last`]: factor(pairs.slice(-LAST)),
    [`${name}_covered`]:
      pairs.filter(({ actual, interval }) => actual >= interval[0] && actual <= interval[1]).length /
      pairs.length,
  };
}

function factor(pairs: readonly Pair[]): number {
  const off = pairs.reduce((sum, { actual, predicted }) => sum + Math.abs(Math.log(actual / predicted)), 0);
  return Math.exp(off / pairs.length);
}
