/**
 * Apache Otava's procedure as it ships: `windowedChangePoints` of src/stats follows the paper, and differs from Otava
 * in two ways that test/stats/change-points.test.ts names. Both are put back here, so that the comparison is with the
 * tool that people run.
 */
import { mean } from '../../src/stats/summary.ts';
import { studentTTwoSided } from '../../src/stats/student-t.ts';
import {
  judge,
  relaxed,
  windowCandidates,
  type SplitTest,
  type Weak,
} from '../../src/stats/windowed-change-points.ts';

export interface OtavaOptions {
  readonly maxP: number;
  readonly window: number;
  readonly minMagnitude: number;
}

/** Indices of the first values after each change. */
export function otavaChangePoints(series: Float64Array, options: OtavaOptions): number[] {
  const { maxP, window, minMagnitude } = options;
  const points = windowCandidates(series, window, relaxed(maxP), populationT);
  let weak: Weak[] = judge(series, points, populationT);
  while (weak.length > 0) {
    let out = weak.reduce((worst, point) => (point.p > worst.p ? point : worst));
    if (out.p < maxP) {
      out = weak.reduce((least, point) => (point.magnitude < least.magnitude ? point : least));
      if (out.magnitude > minMagnitude) break;
    }
    const place = points.indexOf(out.index);
    points.splice(place, 1);
    const fresh = judge(series, points, populationT);
    weak = weak.toSpliced(place, 1).map((old, k) => (k === place || k === place + 1 ? fresh[k]! : old));
  }
  return weak.map(({ index }) => index);
}

/** Student's t with the population's standard deviations where the sample's belong. */
const populationT: SplitTest = (left, right) => {
  const degrees = left.length + right.length - 2;
  if (degrees < 1) return 1;
  const difference = mean(left) - mean(right);
  if (difference === 0) return 1;
  const pooled = (squares(left) + squares(right)) / degrees;
  return studentTTwoSided(difference / Math.sqrt(pooled * (1 / left.length + 1 / right.length)), degrees);
};

function squares(part: Float64Array): number {
  const centre = mean(part);
  return part.reduce((sum, value) => sum + (value - centre) ** 2, 0) * ((part.length - 1) / part.length);
}
