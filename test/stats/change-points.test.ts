import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { changePoints } from '../../src/stats/change-points.ts';
import { energySplit } from '../../src/stats/energy-split.ts';
import { normalQuantile } from '../../src/stats/normal.ts';
import { Xoshiro128 } from '../../src/stats/random.ts';
import { studentTTwoSided } from '../../src/stats/student-t.ts';
import { mean } from '../../src/stats/summary.ts';
import type { SplitTest } from '../../src/stats/windowed-change-points.ts';
import { judge, relaxed, windowCandidates } from '../../src/stats/windowed-change-points.ts';
import { OTAVA_EXPECTS, TIGERBEETLE } from '../fixtures/stats/tigerbeetle.ts';

/** The series of Otava's tests/change_point_divisive_test.py and tests/analysis_test.py. */
const THREE_LEVELS = [0.3, 2.4, 1.5, -0.9, -0.5, 99.7, 98.3, 99.1, 149.0, 149.7, 149.5, 149.1, 148.8, 150.0];
const TWO_LEVELS = [
  1.02, 0.95, 0.99, 1.0, 1.12, 1.0, 1.01, 0.98, 1.01, 0.96, 0.5, 0.51, 0.48, 0.48, 0.55, 0.5, 0.49, 0.51, 0.5,
  0.49,
];

function indices(points: readonly { readonly index: number }[]): number[] {
  return points.map(({ index }) => index);
}

/** q̂ by its definition, over all splits and ends. */
function slowSplit(values: readonly number[]): { index: number; distance: number } {
  const total = (a: readonly number[], b: readonly number[]): number =>
    a.reduce((sum, x) => sum + b.reduce((inner, y) => inner + Math.abs(x - y), 0), 0);
  let best = { index: 0, distance: -Infinity };
  for (let tau = 1; tau < values.length; tau++) {
    for (let kappa = tau + 1; kappa <= values.length; kappa++) {
      const x = values.slice(0, tau);
      const y = values.slice(tau, kappa);
      const n = x.length;
      const m = y.length;
      const within = (part: readonly number[]): number =>
        part.length < 2 ? 0 : total(part, part) / (part.length * (part.length - 1));
      const distance = ((n * m) / (n + m)) * ((2 * total(x, y)) / (n * m) - within(x) - within(y));
      if (distance > best.distance) best = { index: tau, distance };
    }
  }
  return best;
}

describe('energySplit', () => {
  it('maximises the energy distance as defined', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 100, noNaN: true }), { minLength: 2, maxLength: 14 }),
        (x) => {
          const fast = energySplit(Float64Array.from(x), 0, x.length)!;
          const slow = slowSplit(x);
          expect(Math.abs(fast.distance - slow.distance)).toBeLessThan(1e-9);
        },
      ),
    );
    expect(energySplit(Float64Array.from(THREE_LEVELS), 0, 14)?.index).toBe(slowSplit(THREE_LEVELS).index);
    expect(energySplit(Float64Array.of(1), 0, 1)).toBeUndefined();
  });
});

describe('changePoints by permutation', () => {
  it('finds the levels of Otava’s small series', () => {
    // Otava expects [5, 8] at 0.01: it leaves the observed series out of the count, b/(m + 1). The nine values behind
    // the first change can be dealt 84 ways into three and six, so that 0.01 is out of reach; ours needs 0.05.
    expect(indices(changePoints(THREE_LEVELS, { maxP: 0.05 }))).toEqual([5, 8]);
    expect(indices(changePoints(THREE_LEVELS, { maxP: 0.01 }))).toEqual([5]);
  });

  it('finds the change in Otava’s two-level series at 0.0001, given permutations enough to show it', () => {
    expect(indices(changePoints(TWO_LEVELS, { maxP: 0.0001, permutations: 9_999 }))).toEqual([10]);
  });

  it('says what changed: the means on either side, and a p', () => {
    const [point] = changePoints(TWO_LEVELS);
    expect(point!.before).toBeCloseTo(mean(TWO_LEVELS.slice(0, 10)), 12);
    expect(point!.after).toBeCloseTo(mean(TWO_LEVELS.slice(10)), 12);
    expect(point!.p).toBe(0.001);
  });

  it('alarms on unchanged series as rarely as it says', () => {
    const random = new Xoshiro128(4);
    let alarms = 0;
    for (let i = 0; i < 200; i++) {
      const series = Array.from({ length: 20 }, () => normalQuantile(random.nextOpen()));
      if (changePoints(series, { maxP: 0.05, permutations: 99, seed: i }).length > 0) alarms++;
    }
    // 10 expected, standard deviation 3.1.
    expect(alarms).toBeLessThan(21);
  });

  it('ignores scale and origin, and repeats itself', () => {
    const moved = TWO_LEVELS.map((value) => 8 * value - 3);
    expect(indices(changePoints(moved))).toEqual(indices(changePoints(TWO_LEVELS)));
    expect(changePoints(TWO_LEVELS, { seed: 1 })).toEqual(changePoints(TWO_LEVELS, { seed: 1 }));
  });

  it('finds nothing where nothing can be: a constant, a single value', () => {
    expect(changePoints([1, 1, 1, 1, 1, 1])).toEqual([]);
    expect(changePoints([1])).toEqual([]);
  });

  it('refuses options that cannot work', () => {
    expect(() => changePoints(TWO_LEVELS, { maxP: 0.001, permutations: 99 })).toThrow('takes 999');
    expect(() => changePoints(TWO_LEVELS, { maxP: 0 })).toThrow(RangeError);
    expect(() => changePoints(TWO_LEVELS, { window: 1 })).toThrow(RangeError);
    expect(() => changePoints([])).toThrow(RangeError);
  });
});

describe('changePoints by windows and t tests', () => {
  it('finds what Otava expects in its small series', () => {
    expect(indices(changePoints(THREE_LEVELS, { method: 'windowed-t', maxP: 0.01 }))).toEqual([5, 8]);
    expect(indices(changePoints(TWO_LEVELS, { method: 'windowed-t', maxP: 0.0001, window: 10 }))).toEqual([
      10,
    ]);
  });

  it('finds the large changes of the TigerBeetle series that Otava finds with its old defaults', () => {
    const options = { method: 'windowed-t', window: 30, minMagnitude: 0.05 } as const;
    for (const maxP of [0.01, 0.05]) {
      expect(indices(changePoints(TIGERBEETLE, { ...options, maxP }))).toEqual([15, 71]);
    }
    expect(indices(changePoints(TIGERBEETLE, { ...options, maxP: 0.2 }))).toEqual([10, 11, 15, 71]);
  });

  it('finds what permutations confirm', () => {
    const windowed = indices(changePoints(TIGERBEETLE, { method: 'windowed-t', maxP: 0.00001, window: 30 }));
    const permuted = indices(changePoints(TIGERBEETLE, { permutations: 99, maxP: 0.01 }));
    expect(permuted).toEqual([15, 71, 95, 131, 192]);
    for (const index of windowed) expect(permuted).toContain(index);
  });

  /** The population's standard deviations in the formula for the sample's, as Otava computes its t. */
  const otavaT: SplitTest = (left, right) => {
    const df = left.length + right.length - 2;
    if (df < 1) return 1;
    const squares = (part: Float64Array): number => {
      const m = mean(part);
      const variance = part.reduce((sum, value) => sum + (value - m) ** 2, 0) / part.length;
      return (part.length - 1) * variance;
    };
    const pooled = (squares(left) + squares(right)) / df;
    const difference = mean(left) - mean(right);
    const error = Math.sqrt(pooled * (1 / left.length + 1 / right.length));
    return difference === 0 ? 1 : studentTTwoSided(difference / error, df);
  };

  it.each(OTAVA_EXPECTS)(
    'differs from Otava in two ways only: with both put back, p $maxP and magnitude $minMagnitude give its indices',
    ({ maxP, minMagnitude, indices: expected }) => {
      const series = Float64Array.from(TIGERBEETLE);
      const points = windowCandidates(series, 30, relaxed(maxP), otavaT);
      let weak = judge(series, points, otavaT);
      for (;;) {
        let out = weak.reduce((worst, point) => (point.p > worst.p ? point : worst));
        if (out.p < maxP) {
          out = weak.reduce((least, point) => (point.magnitude < least.magnitude ? point : least));
          if (out.magnitude > minMagnitude) break;
        }
        const place = points.indexOf(out.index);
        points.splice(place, 1);
        // After a removal Otava tests the two points behind it anew; ours the two beside it, as the paper says.
        const fresh = judge(series, points, otavaT);
        weak = weak.toSpliced(place, 1).map((old, k) => (k === place || k === place + 1 ? fresh[k]! : old));
      }
      expect(indices(weak)).toEqual(expected);
    },
  );
});
