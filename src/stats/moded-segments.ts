import { levelGrid, startsOf, type RobustSegmentsOptions } from './robust-segments.ts';
import type { SeriesModes } from './series-modes.ts';

export interface ModedSegments {
  /** Where the levels begin, 0 first. */
  readonly starts: readonly number[];
  /** 1 for each value of the upper mode. */
  readonly upper: Uint8Array;
  readonly flips: number;
  /** Of values, levels and modes together, in squared standard deviations. */
  readonly cost: number;
}

/**
 * As `robustSegments`, for a series that alternates between its level and `gap` above it: a value costs its
 * distance to the mode it is in, and a change of mode what its chance is worth, −2·ln. A level of one mode and the
 * other mode of another level cost the same, so a series is never cheaper by calling a step a mode.
 */
export function modedSegments(
  values: Float64Array,
  variances: Float64Array,
  { gap, flips }: Pick<SeriesModes, 'gap' | 'flips'>,
  options: RobustSegmentsOptions,
): ModedSegments {
  const { penalty, cutoff } = options;
  const flipCost = -2 * Math.log(flips);
  const stayCost = -2 * Math.log(1 - flips);
  const levels = levelGrid(values, variances, cutoff);
  const most = cutoff ** 2;
  const size = levels.length;
  const costs = [new Float64Array(size), new Float64Array(size)] as const;
  const since = [new Int32Array(size), new Int32Array(size)] as const;
  const begins = new Int32Array(values.length);
  const levelAt = new Float64Array(values.length);
  let best = -penalty;
  for (let at = 0; at < values.length; at++) {
    const value = values[at]!;
    const inverse = 1 / variances[at]!;
    const opened = best + penalty;
    best = Infinity;
    for (let place = 0; place < size; place++) {
      const level = levels[place]!;
      const low = costs[0][place]!;
      const high = costs[1][place]!;
      const sinceLow = since[0][place]!;
      const sinceHigh = since[1][place]!;
      for (let mode = 0; mode < 2; mode++) {
        const stay = (mode === 0 ? low : high) + stayCost;
        const flip = (mode === 0 ? high : low) + flipCost;
        let cost = stay <= flip ? stay : flip;
        let from = stay <= flip === (mode === 0) ? sinceLow : sinceHigh;
        if (opened < cost || at === 0) {
          cost = opened;
          from = at;
        }
        const distance = value - level - mode * gap;
        const loss = distance * distance * inverse;
        cost += loss < most ? loss : most;
        costs[mode]![place] = cost;
        since[mode]![place] = from;
        if (cost < best) {
          best = cost;
          begins[at] = from;
          levelAt[at] = level;
        }
      }
    }
  }
  const starts = startsOf(begins);
  const upper = new Uint8Array(values.length);
  let changes = 0;
  starts.forEach((start, k) => {
    const end = starts[k + 1] ?? values.length;
    changes += assignModes(values, variances, upper, {
      start,
      end,
      level: levelAt[end - 1]!,
      gap,
      most,
      flipCost,
      stayCost,
    });
  });
  return { starts, upper, flips: changes, cost: best };
}

interface Stretch {
  readonly start: number;
  readonly end: number;
  readonly level: number;
  readonly gap: number;
  readonly most: number;
  readonly flipCost: number;
  readonly stayCost: number;
}

/** The cheapest modes of one level's values (Viterbi); returns how often they change. */
function assignModes(
  values: Float64Array,
  variances: Float64Array,
  upper: Uint8Array,
  { start, end, level, gap, most, flipCost, stayCost }: Stretch,
): number {
  const flipped = [new Uint8Array(end - start), new Uint8Array(end - start)] as const;
  let [low, high] = [0, 0];
  for (let at = start; at < end; at++) {
    const lossOf = (mode: number): number =>
      Math.min(most, (values[at]! - level - mode * gap) ** 2 / variances[at]!);
    const [lowBefore, highBefore] = [low, high];
    if (at > start) {
      flipped[0][at - start] = highBefore + flipCost < lowBefore + stayCost ? 1 : 0;
      flipped[1][at - start] = lowBefore + flipCost < highBefore + stayCost ? 1 : 0;
      low = Math.min(lowBefore + stayCost, highBefore + flipCost);
      high = Math.min(highBefore + stayCost, lowBefore + flipCost);
    }
    low += lossOf(0);
    high += lossOf(1);
  }
  let mode = high < low ? 1 : 0;
  let changes = 0;
  for (let at = end - 1; at >= start; at--) {
    upper[at] = mode;
    if (flipped[mode]![at - start] === 1) {
      mode = 1 - mode;
      changes++;
    }
  }
  return changes;
}
