import type { Importance } from '../../model/tune/study-report.ts';
import type { StudyParameter } from '../../model/tune/study-settings.ts';
import { measuredTrials } from '../../model/tune/measured-trials.ts';
import type { Trial } from '../../model/tune/study.ts';
import type { Random } from '../../stats/index.ts';
import { functionalAnova } from './functional-anova.ts';

/** With fewer measured trials a forest tells nothing. */
const LEAST_TRIALS = 10;
/** A forest that hardly predicts trials it did not see says nothing about what the time depends on. */
const LEAST_EXPLAINED = 0.1;
const MOST_PAIRS = 5;

const IMPORTANCE_METHOD =
  'functional ANOVA of a random forest on log time (Hutter, Hoos & Leyton-Brown, ICML 2014)';

/** Which tunables the time depends on, as far as the measured trials tell; undefined where they do not. */
export function parameterImportance(
  trials: readonly Trial[],
  parameters: readonly StudyParameter[],
  random: Random,
): Importance | undefined {
  const varied = parameters.filter(({ values }) => values.length > 1);
  const observations = measuredTrials(trials).flatMap(({ trial, outcome }) => {
    const point = varied.map(({ name, values }) => values.indexOf(trial.variant[name]!));
    return point.includes(-1) ? [] : [{ point, value: Math.log(outcome.time_ms) }];
  });
  if (observations.length < LEAST_TRIALS || varied.length === 0) return undefined;
  const shape = {
    counts: varied.map(({ values }) => values.length),
    ordered: varied.map(({ kind }) => kind === 'ordered'),
  };
  const { single, pairs, explained } = functionalAnova(observations, shape, random);
  if (explained < LEAST_EXPLAINED) return undefined;
  const nameOf = (index: number): string => varied[index]!.name;
  return {
    method: IMPORTANCE_METHOD,
    trials: observations.length,
    explained,
    parameters: single
      .map((share, index) => ({ name: nameOf(index), share }))
      .toSorted((one, other) => other.share - one.share),
    pairs: pairs
      .toSorted((one, other) => other.share - one.share)
      .slice(0, MOST_PAIRS)
      .map(({ parameters: [one, other], share }) => ({ names: [nameOf(one), nameOf(other)], share })),
  };
}
