import type { PredictionError } from '../../model/learn/advice.ts';
import { LEAST_MINUTES, type EndedSession } from './predict-session.ts';

const LAST = 10;

interface Pair {
  readonly predicted: number;
  readonly interval: readonly [number, number];
  readonly actual: number;
}

/** How far the predictions of sessions that ended were off, by the factor; the order of starting says which are the last. */
export function predictionError(sessions: readonly EndedSession[]): PredictionError {
  const ended = sessions
    .filter(({ outcome }) => outcome !== undefined)
    .toSorted((one, other) => (one.started_at < other.started_at ? -1 : 1));
  const minutes = ended.flatMap(({ prediction, outcome }) =>
    outcome === undefined || outcome.minutes < LEAST_MINUTES
      ? []
      : [{ predicted: prediction.minutes, interval: prediction.minutes_ci, actual: outcome.minutes }],
  );
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
