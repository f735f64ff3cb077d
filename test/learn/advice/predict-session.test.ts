import { describe, expect, it } from 'vitest';

import { UNKNOWN_DEVICE } from '../../../src/learn/advice/likeness.ts';
import { predictionError } from '../../../src/learn/advice/prediction-error.ts';
import { predictSession } from '../../../src/learn/advice/predict-session.ts';
import { rankFixes } from '../../../src/learn/advice/rank-fixes.ts';
import { predictionErrorSchema, predictionSchema } from '../../../src/model/learn/advice.ts';
import type { Session } from '../../../src/model/learn/session.ts';
import { finding, HERE, PREDICTION, session, times } from './records.ts';

const GOAL = { text: '1.2x on training_512', speedup: 1.2, case: 'training_512' };
/** The method's four hours. */
const METHOD = {
  phases: (['assessment', 'build', 'baseline', 'optimise', 'validate'] as const).map((id, at) => ({
    id,
    title: id,
    budget_min: [30, 20, 30, 130, 30][at]!,
  })),
};

let ids = 0;

function ended(minutes: number, speedup: number | undefined, more: Partial<Session> = {}): Session {
  const outcome = { reached: false, minutes, summary: '', ...(speedup === undefined ? {} : { speedup }) };
  ids += 1;
  return session(`session-${ids}`, { outcome, ...more });
}

function predict(sessions: readonly Session[]) {
  return predictionSchema.parse(predictSession({ sessions, method: METHOD, goal: GOAL, ...HERE }));
}

/** Seven sessions on one kernel: minutes, and the speed-up where there was one. */
const EARLIER: readonly (readonly [number, number | undefined])[] = [
  [180, 0.09],
  [60, undefined],
  [110, 0.1],
  [67, undefined],
  [30, 0.034],
  [130, undefined],
  [45, 0.05],
];

describe('a prediction', () => {
  it('takes devices that nobody wrote down for one, and calls it unknown', () => {
    const { device: _, ...unknown } = ended(60, 1.2);
    const { basis } = predictSession({
      sessions: [unknown, ended(60, 1.2)],
      method: METHOD,
      goal: GOAL,
      kind: HERE.kind,
      device: UNKNOWN_DEVICE,
    });
    expect(basis).toContain('1 of these on an unknown device');
  });

  it("without sessions is the method's budget and the goal, with wide intervals, and says so", () => {
    const { minutes, speedup, minutes_ci, speedup_ci, sessions, basis } = predict([]);
    expect([minutes, speedup, sessions]).toEqual([240, 1.2, 0]);
    expect(basis).toContain('No session has ended');
    expect(minutes_ci[1] / minutes_ci[0]).toBeGreaterThan(5);
    expect(speedup_ci[1] / speedup_ci[0]).toBeGreaterThan(10);
  });

  it('of many like sessions is what they took and reached', () => {
    const { minutes, speedup, basis } = predict(times(500, () => ended(90, 1.1)));
    expect(minutes).toBeCloseTo(90, 0);
    expect(speedup).toBeCloseTo(1.1, 1);
    expect(basis).toContain('500 of attention');
  });

  it('listens to its own kind and device more than to others', () => {
    const near = predict(times(3, () => ended(60, 0.5)));
    const far = predict(times(3, () => ended(60, 0.5, { kind: 'gemm', device: 'NVIDIA L4' })));
    expect(near.minutes).toBeLessThan(far.minutes);
    expect(near.speedup).toBeLessThan(far.speedup);
  });

  it('starts from the ranked fixes where they and the speed-up so far are known', () => {
    const fixes = rankFixes({ findings: [finding('bank-conflicts', 60)], outcomes: [], ...HERE });
    const from = (speedup: number) =>
      predictSession({ sessions: [], method: METHOD, goal: GOAL, ...HERE, advice: { fixes }, speedup });
    expect(from(0.5).speedup).toBeGreaterThan(0.5);
    expect(from(0.5).speedup).toBeLessThan(from(0.8).speedup);
  });

  it('after the recorded sessions of the method would have said hours less and a tenth of the goal', () => {
    const sessions = EARLIER.map(([minutes, speedup], at) =>
      ended(minutes, speedup, { id: `n${at}`, device: 'NVIDIA L4' }),
    );
    const said = times(sessions.length, (at) =>
      predictSession({
        sessions: sessions.slice(0, at),
        method: METHOD,
        goal: GOAL,
        kind: 'attention',
        device: 'NVIDIA L4',
      }),
    );
    // After the first session nobody would have been told 4 h and 1.2× again.
    expect(said[1]!.speedup).toBeLessThan(0.5);
    const last = said.at(-1)!;
    expect(last.minutes).toBeLessThan(130);
    expect(last.speedup).toBeLessThan(0.2);
    expect(last.minutes_ci[0]).toBeLessThan(45);
    expect(last.minutes_ci[1]).toBeGreaterThan(45);
  });
});

describe('the error of predictions', () => {
  const off = (minutes: number, speedup: number | undefined, started_at: string) =>
    ended(minutes, speedup, {
      started_at,
      prediction: { ...PREDICTION, minutes: 100, minutes_ci: [50, 200] },
    });

  it('is the mean factor by which they were off, whichever way, and how many were inside', () => {
    const error = predictionError([
      off(200, 1.2, '2026-01-01T00:00:00Z'),
      off(50, undefined, '2026-01-02T00:00:00Z'),
      off(800, 12, '2026-01-03T00:00:00Z'),
      session('open'),
    ]);
    expect(predictionErrorSchema.parse(error).sessions).toBe(3);
    expect(error.minutes_factor).toBeCloseTo((2 * 2 * 8) ** (1 / 3), 6);
    expect(error.minutes_covered).toBeCloseTo(2 / 3, 6);
    expect(error.speedup_factor).toBeCloseTo(Math.sqrt(10), 6);
    expect(error.speedup_covered).toBe(0.5);
  });

  it('of the last ten leaves out what was before', () => {
    const early = times(5, (at) => off(1000, undefined, `2026-01-0${at + 1}T00:00:00Z`));
    const late = times(10, (at) => off(100, undefined, `2026-02-${10 + at}T00:00:00Z`));
    const error = predictionError([...late, ...early]);
    expect(error.minutes_factor_last).toBeCloseTo(1, 9);
    expect(error.minutes_factor).toBeGreaterThan(1.5);
  });

  it('of no session is unknown', () => {
    expect(predictionError([])).toEqual({ sessions: 0 });
  });
});
