import { savedPct } from '../../src/learn/advice/log-gain.ts';
import { predictSession, type EndedSession } from '../../src/learn/advice/predict-session.ts';
import type { FixOutcome } from '../../src/model/learn/advice.ts';
import type { Contender } from './contenders.ts';
import type { SimulatedFinding, SimulatedSession, World } from './world.ts';

/** One session of one contender. Gains are in log time. */
export interface SessionScore {
  readonly hit: boolean;
  /** Expected gain of the first try, and of the first three together, below the best that there is. */
  readonly firstRegret: number;
  readonly regret: number;
  /** Of the first three fixes: inside their 80 % intervals, of how many. */
  readonly inside: number;
  readonly judged: number;
  /** Logarithms of actual over predicted, and whether it was inside the interval. */
  readonly minutesOff: number;
  readonly minutesInside: boolean;
  readonly speedupOff: number;
  readonly speedupInside: boolean;
  readonly isMisleading: boolean;
  /** Of sessions where the drifting rule was found. */
  readonly hasDrifting: boolean;
  readonly isAdverse: boolean;
}

const TRIES = 3;

/** The method's phases: four hours in all. */
const METHOD = {
  phases: (
    [
      ['pre-flight', 10],
      ['assessment', 30],
      ['build', 20],
      ['baseline', 30],
      ['optimise', 120],
      ['validate', 30],
    ] as const
  ).map(([id, budget_min]) => ({ id, title: id, budget_min })),
};

export function runYear(
  { sessions, drifting }: World,
  contender: Contender,
  { predicts }: { readonly predicts: boolean },
): SessionScore[] {
  const outcomes: FixOutcome[] = [];
  const ended: EndedSession[] = [];
  return sessions.map((session) => {
    const { kind, device, findings } = session;
    const { rules, ranked = [] } = contender.order(findings, outcomes, { kind, device });
    const chosen = rules.map((rule) => findings.find((finding) => finding.rule === rule)!);
    const best = findings.toSorted((one, other) => other.expected - one.expected);
    const tried = chosen.slice(0, TRIES);
    const intervals = new Map(ranked.map(({ rule, ci_pct }) => [rule, ci_pct]));
    let inside = 0;
    let judged = 0;
    for (const finding of tried) {
      const interval = intervals.get(finding.rule);
      const outcome_pct = savedPct(finding.tries[0]!.gain);
      if (interval === undefined || session.isMisleading) continue;
      judged++;
      if (outcome_pct >= interval[0] && outcome_pct <= interval[1]) inside++;
    }
    const goal = { text: '', case: '', speedup: session.goal };
    const prediction = predicts
      ? predictSession({ sessions: ended, method: METHOD, kind, device, goal })
      : undefined;
    const end = outcomeOf(session, tried);
    outcomes.push(...recorded(session, tried));
    if (prediction !== undefined) {
      const { date: started_at, id } = session;
      ended.push({
        id,
        kind,
        device,
        goal,
        started_at,
        prediction,
        outcome: { ...end, reached: false, summary: '' },
      });
    }
    return {
      hit: chosen[0] === best[0],
      firstRegret: best[0]!.expected - chosen[0]!.expected,
      regret: expectedOf(best.slice(0, TRIES)) - expectedOf(tried),
      inside,
      judged,
      minutesOff: prediction === undefined ? 0 : Math.log(end.minutes / prediction.minutes),
      minutesInside: prediction !== undefined && within(end.minutes, prediction.minutes_ci),
      speedupOff: prediction === undefined ? 0 : Math.log(end.speedup / prediction.speedup),
      speedupInside: prediction !== undefined && within(end.speedup, prediction.speedup_ci),
      isMisleading: session.isMisleading,
      hasDrifting: findings.some(({ rule }) => rule === drifting),
      isAdverse: device === 'NVIDIA B200',
    };
  });
}

/** A fix that makes it slower is not made. */
function expectedOf(findings: readonly SimulatedFinding[]): number {
  return findings.reduce((sum, { expected }) => sum + Math.max(0, expected), 0);
}

function recorded(
  { id, date, kind, device }: SimulatedSession,
  tried: readonly SimulatedFinding[],
): FixOutcome[] {
  let number = 0;
  return tried.flatMap(({ rule, promise_pct, tries }) =>
    tries.map(({ seen }) => ({
      session: id,
      try: ++number,
      date,
      rule,
      kind,
      device,
      expected_gain_pct: promise_pct,
      change_pct: savedPct(seen),
    })),
  );
}

/** What was seen to help is kept, and brings what it really brings. */
function outcomeOf(
  { first, fixed_min, try_min }: SimulatedSession,
  tried: readonly SimulatedFinding[],
): { minutes: number; speedup: number } {
  let log = first;
  let minutes = fixed_min;
  let number = 0;
  for (const { tries } of tried) {
    const kept = tries.toSorted((one, other) => other.seen - one.seen)[0]!;
    if (kept.seen > 0) log += kept.gain;
    for (const _ of tries) minutes += try_min[number++]!;
  }
  return { minutes, speedup: Math.exp(log) };
}

function within(value: number, [low, high]: readonly [number, number]): boolean {
  return value >= low && value <= high;
}
