import { standardDeviation, mean } from '../../src/stats/summary.ts';
import { Xoshiro128 } from '../../src/stats/random.ts';
import type { Contender } from './contenders.ts';
import { runYear, type SessionScore } from './run-year.ts';
import type { Scenario } from './scenarios.ts';
import { drawWorld } from './world.ts';

/** Sessions by seed, for one contender. */
export interface ContenderYears {
  readonly contender: string;
  readonly years: readonly (readonly SessionScore[])[];
}

export interface Scored {
  readonly scenario: Scenario;
  readonly contenders: readonly ContenderYears[];
}

export interface ScoreOptions {
  readonly seeds: number;
  readonly sessions: number;
  readonly seed: number;
  readonly predicts: boolean;
}

export function score(
  scenario: Scenario,
  contenders: readonly Contender[],
  { seeds, sessions, seed, predicts }: ScoreOptions,
): Scored {
  const worlds = Array.from({ length: seeds }, (_, at) =>
    drawWorld(scenario.world, sessions, new Xoshiro128(seed * 100_003 + at)),
  );
  return {
    scenario,
    contenders: contenders.map((contender) => ({
      contender: contender.name,
      years: worlds.map((world) =>
        runYear(world, contender, { predicts: predicts && contender.name === 'learning' }),
      ),
    })),
  };
}

export interface Estimate {
  readonly mean: number;
  /** Half of a 95 % interval; years are independent, sessions of one year are not. */
  readonly half: number;
}

/** The mean over years of a year's mean over the sessions that count; years without one do not. */
export function estimate(
  { years }: ContenderYears,
  value: (session: SessionScore) => number,
  counts: (session: SessionScore, at: number) => boolean = () => true,
): Estimate {
  const means = years.flatMap((year) => {
    const own = year.filter(counts);
    return own.length === 0 ? [] : [mean(own.map(value))];
  });
  return {
    mean: mean(means),
    half: means.length < 2 ? 0 : (1.96 * standardDeviation(means)) / Math.sqrt(means.length),
  };
}
