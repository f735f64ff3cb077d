import { fitLevel, fitLine, heightAt, type Fitted, type Weighted } from './stretch-fit.ts';
import { studentTTwoSided } from './student-t.ts';

/** Part of a series with one level, or with one drift. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
  readonly kind: 'level' | 'creep';
  readonly fit: Fitted;
}

interface CreepOptions {
  readonly penalty: number;
  readonly maxP: number;
  readonly degrees: number;
}

/** A drift over fewer values cannot be told from a step. */
const LEAST_VALUES = 10;

/**
 * Puts a drift in the place of levels that rise or fall one way where a line is the better account: one that costs no
 * more than the levels with what each of their steps has to gain. A single step names a commit and a drift does not,
 * so against one step the line must be better by half of that; against none its slope must be significant.
 */
export function findCreeps(
  series: Weighted,
  levels: readonly Stretch[],
  options: CreepOptions,
): readonly Stretch[] {
  let best: { first: number; last: number; fit: Fitted; gain: number } | undefined;
  for (const [first, last] of monotoneRuns(levels)) {
    const found = lineInstead(series, levels.slice(first, last + 1), options);
    if (found !== undefined && (best === undefined || found.gain > best.gain)) {
      best = { first, last, ...found };
    }
  }
  if (best === undefined) return levels;
  const { first, last, fit } = best;
  const creep: Stretch = { start: levels[first]!.start, end: levels[last]!.end, kind: 'creep', fit };
  return [
    ...findCreeps(series, levels.slice(0, first), options),
    creep,
    ...findCreeps(series, levels.slice(last + 1), options),
  ];
}

/** All runs of neighbouring levels that only rise or only fall; a level alone is one. */
function* monotoneRuns(levels: readonly Stretch[]): Generator<[first: number, last: number]> {
  for (let first = 0; first < levels.length; first++) {
    let way = 0;
    yield [first, first];
    for (let last = first + 1; last < levels.length; last++) {
      const step = Math.sign(levels[last]!.fit.middle - levels[last - 1]!.fit.middle);
      if (way !== 0 && step !== way) break;
      way = step;
      yield [first, last];
    }
  }
}

function lineInstead(
  series: Weighted,
  levels: readonly Stretch[],
  { penalty, maxP, degrees }: CreepOptions,
): { fit: Fitted; gain: number } | undefined {
  const { start } = levels[0]!;
  const { end } = levels.at(-1)!;
  const steps = levels.length - 1;
  if (end - start < LEAST_VALUES) return undefined;
  const fit = fitLine(series, start, end, levels[0]!.fit.middle, levels.at(-1)!.fit.middle);
  if (fit.slopeVariance === 0) return undefined;
  const p = studentTTwoSided(fit.slope / Math.sqrt(fit.slopeVariance), degrees);
  if (!(p <= maxP)) return undefined;
  const cost = levels.reduce((sum, level) => sum + level.fit.cost, 0);
  const gain = cost - fit.cost + Math.max(0, steps - 1) * penalty;
  if (steps === 1 && gain < penalty / 2) return undefined;
  return gain > 0 ? { fit, gain } : undefined;
}

/** The fit of what two neighbouring stretches become when the step between them is dropped. */
export function joined(series: Weighted, left: Stretch, right: Stretch): Stretch {
  const { start } = left;
  const { end } = right;
  if (left.kind === 'level' && right.kind === 'level') {
    return { start, end, kind: 'level', fit: fitLevel(series, start, end) };
  }
  const fit = fitLine(series, start, end, heightAt(left.fit, start), heightAt(right.fit, end - 1));
  return { start, end, kind: 'creep', fit };
}
