import { energySplit } from './energy-split.ts';
import { studentTTwoSided } from './student-t.ts';
import { moments } from './summary.ts';

/** How likely two stretches are to differ as much by chance. */
export type SplitTest = (left: Float64Array, right: Float64Array) => number;

export interface Weak {
  readonly index: number;
  readonly p: number;
  readonly magnitude: number;
}

/**
 * Hunter's procedure (Fleming, Kołaczkowski and others, "Hunter: using change point detection to hunt for performance
 * regressions", ICPE 2023, section 3; Apache Otava): E-divisive splits judged by t tests at a relaxed level within
 * windows that slide by half their length, then, over the whole series, removal of the weakest until all that are left
 * are significant and large enough.
 */
export function windowedChangePoints(
  series: Float64Array,
  options: { readonly maxP: number; readonly window: number; readonly minMagnitude: number },
  test: SplitTest = pooledT,
): { index: number; p: number }[] {
  const { maxP, window, minMagnitude } = options;
  const points = windowCandidates(series, window, relaxed(maxP), test);
  let weak = judge(series, points, test);
  while (weak.length > 0) {
    let weakest = weak.reduce((worst, point) => (point.p > worst.p ? point : worst));
    if (weakest.p < maxP) {
      weakest = weak.reduce((least, point) => (point.magnitude < least.magnitude ? point : least));
      if (weakest.magnitude > minMagnitude) break;
    }
    points.splice(points.indexOf(weakest.index), 1);
    weak = judge(series, points, test);
  }
  return weak.map(({ index, p }) => ({ index, p }));
}

/** The level at which a window's splits become candidates. */
export function relaxed(maxP: number): number {
  if (maxP < 0.05) return 10 * maxP;
  return maxP < 0.5 ? 2 * maxP : maxP;
}

/** Splits found in any window, in ascending order. */
export function windowCandidates(
  series: Float64Array,
  window: number,
  maxP: number,
  test: SplitTest,
): number[] {
  const found = new Set<number>();
  const step = Math.floor(window / 2);
  for (let start = 0; start < series.length;) {
    const inWindow = splitWindow(series, start, Math.min(start + window, series.length), maxP, test);
    for (const index of inWindow) found.add(index);
    start = Math.max(start + step, inWindow.at(-1) ?? 0);
  }
  return [...found].sort((a, b) => a - b);
}

function splitWindow(
  series: Float64Array,
  start: number,
  end: number,
  maxP: number,
  test: SplitTest,
): number[] {
  const edges = [start, end];
  for (;;) {
    let best: { index: number; distance: number; stretch: number } | undefined;
    for (let k = 1; k < edges.length; k++) {
      const split = energySplit(series, edges[k - 1]!, edges[k]!);
      if (split !== undefined && (best === undefined || split.distance > best.distance)) {
        best = { ...split, stretch: k };
      }
    }
    if (best === undefined) break;
    const left = series.subarray(edges[best.stretch - 1], best.index);
    const right = series.subarray(best.index, edges[best.stretch]);
    if (!(test(left, right) <= maxP)) break;
    edges.splice(best.stretch, 0, best.index);
  }
  return edges.slice(1, -1);
}

/** Every point tested between its neighbours. */
export function judge(series: Float64Array, points: readonly number[], test: SplitTest): Weak[] {
  return points.map((index, place) => {
    const left = series.subarray(points[place - 1] ?? 0, index);
    const right = series.subarray(index, points[place + 1] ?? series.length);
    return { index, p: test(left, right), magnitude: magnitude(moments(left).mean, moments(right).mean) };
  });
}

/** The larger of the relative changes from left to right and back; a mean of 0 leaves nothing to be relative to. */
function magnitude(left: number, right: number): number {
  if (left === 0 || right === 0) return left === right ? 0 : Infinity;
  return Math.max(Math.abs(right / left - 1), Math.abs(left / right - 1));
}

/**
 * Student's two-sample t test with pooled variance ("The probable error of a mean", Biometrika 6(1), 1908): unlike
 * Welch's it takes a single value on one side.
 */
export function pooledT(left: Float64Array, right: Float64Array): number {
  const df = left.length + right.length - 2;
  if (df < 1) return 1;
  const a = moments(left);
  const b = moments(right);
  const squares =
    sumOfSquares(a.standardDeviation, left.length) + sumOfSquares(b.standardDeviation, right.length);
  const error = Math.sqrt((squares / df) * (1 / left.length + 1 / right.length));
  const difference = a.mean - b.mean;
  if (difference === 0) return 1;
  return studentTTwoSided(difference / error, df);
}

function sumOfSquares(standardDeviation: number, count: number): number {
  return count < 2 ? 0 : standardDeviation ** 2 * (count - 1);
}
