import { describe, expect, it } from 'vitest';

import { JUDGE_DEFAULTS } from '../../src/judge/judge-policy.ts';
import { CONTROL, raceQuestion } from '../../src/judge/race/race-question.ts';
import { sequentialPlan } from '../../src/judge/sequential.ts';
import type { Measurement } from '../../src/model/measure/samples.ts';
import type { RecordedSide } from '../../src/rig/recorded-side.ts';
import { measurementOf, samplesOf } from './samples-of.ts';

const PLACE = { case: 'training_512', mode: 'cold' } as const;

/** Made-up kernels by their levels, after six processes each. */
function raceOf(
  levels: Readonly<Record<string, number>>,
  lost: Readonly<Record<string, Measurement['lost']>> = {},
) {
  const sides = new Map(
    Object.entries(levels).map(([label, level_ms], index) => {
      const kernel = label === CONTROL ? 'a' : label;
      const measurement = measurementOf(
        { level_ms, processes: 6, seed: index + 1 },
        { kernel, mode: PLACE.mode, variant: { OWN: index }, ...(lost[label] && { lost: lost[label] }) },
      );
      return [label, { builder: { build: () => samplesOf(measurement) } } as unknown as RecordedSide];
    }),
  );
  const question = raceQuestion(sides, 'a');
  const judge = question.judge(JUDGE_DEFAULTS, sequentialPlan({ maxProcesses: 24 }));
  const open = () =>
    question
      .wanted(judge)({ kernel: 'problem', ...PLACE }, Object.keys(levels))
      .toSorted();
  const verdicts = () => {
    const { comparison } = judge.look(question.soFar()!);
    return Object.fromEntries(comparison.cases.map(({ kernel, verdict }) => [kernel, verdict]));
  };
  return { open, verdicts };
}

describe('raceQuestion', () => {
  it('compares every two kernels, each pair once', () => {
    expect(raceOf({ a: 1, b: 1, c: 2 }).verdicts()).toEqual({
      'b against a': 'maintained',
      'c against a': 'regressed',
      'c against b': 'regressed',
    });
  });

  it('has all kernels and the control measured, until their pairs are decided', () => {
    const race = raceOf({ a: 1, b: 2, c: 4, [CONTROL]: 1 });
    expect(race.open()).toEqual([CONTROL, 'a', 'b', 'c']);
    race.verdicts();
    expect(race.open()).toEqual([]);
  });

  it('decides no pair of a case in which the control differs from its kernel', () => {
    const verdicts = raceOf({ a: 1, b: 2, c: 4, [CONTROL]: 1.5 }).verdicts();
    expect(new Set(Object.values(verdicts))).toEqual(new Set(['undecided']));
  });

  it('goes on without a kernel that a detector speaks against', () => {
    const caught = [
      { process: 2, reason: 'wrong-result', during: 'timing' as const, message: 'it is wrong' },
    ];
    const race = raceOf({ a: 1, b: 2, c: 4 }, { b: caught });
    expect(race.open()).toEqual(['a', 'c']);
    expect(race.verdicts()).toEqual({ 'c against a': 'regressed' });
  });
});
