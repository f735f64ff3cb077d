import type { Advice, Prediction } from '../../model/learn/advice.ts';
import type { Method } from '../../model/learn/gate.ts';
import { DAY_MS } from '../../model/text/moment.ts';
import type { Goal, Session } from '../../model/learn/session.ts';
import { UNKNOWN_DEVICE, type Place } from './likeness.ts';
import { logGain } from './log-gain.ts';
import { learnScatter } from './learn-spread.ts';
import { placesOf, type Recorded } from './places.ts';
import { pool, type Normal } from './pool.ts';
import { SESSION_SETTINGS, type PoolSettings } from './settings.ts';

/** What of a session predictions are learnt from. */
export type EndedSession = Pick<
  Session,
  'id' | 'kind' | 'device' | 'goal' | 'started_at' | 'outcome' | 'prediction'
>;

export interface PredictSessionOptions extends Place {
  readonly sessions: readonly EndedSession[];
  readonly method: Pick<Method, 'phases'>;
  readonly goal: Goal;
  /** Where a profile was ranked already, with the speed-up over the reference that the kernel has now. */
  readonly advice?: Pick<Advice, 'fixes'>;
  readonly speedup?: number;
}

/** The normal distribution's 0.9 quantile. */
const DEVIATIONS_80 = 1.2815515655446004;
/** What was shorter was not worked on, and says nothing about how long work takes. */
export const LEAST_MINUTES = 1;
/** What a session gets done of a ranked list: the method gives optimising two hours. */
const FIXES_A_SESSION = 3;
/** Variance of what the fixes together bring beyond their own intervals: gains overlap, and tries go wrong. */
const TOGETHER_VARIANCE = 0.3 ** 2;

/** How long a session takes and how far it gets: logarithms are normal, and recorded sessions update them. */
export function predictSession(options: PredictSessionOptions): Prediction {
  const { sessions, method, kind, device, goal } = options;
  const here = { kind, device };
  const budget_min = method.phases.reduce((sum, { budget_min }) => sum + budget_min, 0);
  const newest = Math.max(...sessions.map(({ started_at }) => Date.parse(started_at)));
  const recordsOf = (value: (session: EndedSession) => number | undefined): Recorded[] =>
    sessions.flatMap((session) => {
      const own = value(session);
      if (own === undefined || !Number.isFinite(own)) return [];
      const age_days = (newest - Date.parse(session.started_at)) / DAY_MS;
      return [
        {
          value: own,
          variance: 0,
          session: session.id,
          kind: session.kind,
          device: session.device ?? UNKNOWN_DEVICE,
          age_days: Number.isNaN(age_days) ? 0 : age_days,
        },
      ];
    });
  const times = recordsOf(({ outcome }) =>
    outcome && outcome.minutes >= LEAST_MINUTES ? Math.log(outcome.minutes / budget_min) : undefined,
  );
  const reached = recordsOf(
    ({ outcome, goal }) => outcome?.speedup && Math.log(outcome.speedup / goal.speedup),
  );
  const { minutes, speedup } = SESSION_SETTINGS;
  return {
    ...scaled(
      'minutes',
      budget_min,
      expect({ mean: 0, variance: minutes.priorVariance }, times, here, minutes),
    ),
    ...scaled('speedup', goal.speedup, expect(speedupPrior(options), reached, here, speedup)),
    sessions: Math.max(times.length, reached.length),
    basis: basisOf(times, reached, here),
  };
}

/** Of one more session. */
function expect(prior: Normal, records: readonly Recorded[], here: Place, start: PoolSettings): Normal {
  const places = placesOf(records, start);
  const settings = places.length === 0 ? start : learnScatter([places], start);
  const { mean, variance } = pool(prior, places, here, settings);
  return { mean, variance: variance + settings.scatterVariance };
}

/** Of the logarithm of speed-up over goal. */
function speedupPrior({ advice, speedup, goal }: PredictSessionOptions): Normal {
  if (advice === undefined || speedup === undefined) {
    return { mean: 0, variance: SESSION_SETTINGS.speedup.priorVariance };
  }
  const first = advice.fixes.slice(0, FIXES_A_SESSION);
  let mean = Math.log(speedup / goal.speedup);
  let variance = TOGETHER_VARIANCE;
  for (const { expected_gain_pct, ci_pct } of first) {
    // A fix that makes it slower is not kept.
    mean += Math.max(0, logGain(expected_gain_pct));
    variance += ((logGain(ci_pct[1]) - logGain(ci_pct[0])) / (2 * DEVIATIONS_80)) ** 2;
  }
  return { mean, variance };
}

function scaled<Name extends 'minutes' | 'speedup'>(
  name: Name,
  unit: number,
  { mean, variance }: Normal,
): Pick<Prediction, Name | `${Name}_ci`> {
  const deviation = DEVIATIONS_80 * Math.sqrt(variance);
  const at = (log: number): number => Number((unit * Math.exp(log)).toPrecision(4));
  return {
    [name]: at(mean),
    [`${name}_ci`]: [at(mean - deviation), at(mean + deviation)],
  } as Pick<Prediction, Name | `${Name}_ci`>;
}

function basisOf(
  times: readonly Recorded[],
  { length: speedups }: readonly Recorded[],
  { kind, device }: Place,
): string {
  if (times.length === 0 && speedups === 0) {
    return "No session has ended yet: the method's budgets and the goal itself.";
  }
  if (times.length === 0) {
    return `The method's budgets, for no session was worked on for ${LEAST_MINUTES} minute; ${speedups} with a speed-up.`;
  }
  const ofKind = times.filter((one) => one.kind === kind);
  const here = ofKind.filter((one) => one.device === device);
  const where = device === UNKNOWN_DEVICE ? 'an unknown device' : device;
  const ended = times.length === 1 ? '1 session that ended' : `${times.length} sessions that ended`;
  return `${ended}, ${ofKind.length} of ${kind}, ${here.length} of these on ${where}; ${speedups} with a speed-up.`;
}
