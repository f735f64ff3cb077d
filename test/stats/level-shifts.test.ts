import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { levelShifts, type LevelShift } from '../../src/stats/level-shifts.ts';
import { normalQuantile } from '../../src/stats/normal.ts';
import { Xoshiro128 } from '../../src/stats/random.ts';
import { robustSegments } from '../../src/stats/robust-segments.ts';
import { seriesNoise } from '../../src/stats/series-noise.ts';

const NOISE = 0.01;

interface Drawn {
  readonly seed: number;
  readonly length: number;
  readonly level?: (at: number) => number;
  readonly noise?: (at: number) => number;
}

function draw({ seed, length, level = () => 0, noise = () => NOISE }: Drawn): Float64Array {
  const random = new Xoshiro128(seed);
  return Float64Array.from({ length }, (_, at) => level(at) + noise(at) * normalQuantile(random.nextOpen()));
}

function shiftsIn(
  values: Float64Array,
  errors: ArrayLike<number> = values.map(() => NOISE / 2),
): readonly LevelShift[] {
  return levelShifts(values, errors).shifts;
}

function steps(shifts: readonly LevelShift[]): number[] {
  return shifts.filter(({ kind }) => kind === 'step').map(({ index }) => index);
}

function segmentCost(values: readonly number[], cutoff: number): number {
  let best = Infinity;
  for (let level = Math.min(...values); level <= Math.max(...values); level += 0.02) {
    best = Math.min(
      best,
      values.reduce((sum, value) => sum + Math.min((value - level) ** 2, cutoff ** 2), 0),
    );
  }
  return best;
}

/** The least cost of all segmentations. */
function leastCost(values: readonly number[], penalty: number, cutoff: number): number {
  const least = [-penalty];
  for (let end = 1; end <= values.length; end++) {
    const ways = least.map((before, from) => before + penalty + segmentCost(values.slice(from, end), cutoff));
    least[end] = Math.min(...ways);
  }
  return least[values.length]!;
}

/** Values about two modes, the next one of the other with a chance of `flips`. */
function twoModes(
  count: number,
  gap: number,
  flips: number,
  noise = 0.003,
  levelOf: (at: number) => number = () => 0,
) {
  const random = new Xoshiro128(11);
  let upper = false;
  const drawn = Array.from({ length: count }, (_, at) => {
    if (random.nextOpen() < flips) upper = !upper;
    return {
      upper,
      value: levelOf(at) + (upper ? gap : 0) + noise * normalQuantile(random.nextOpen()),
    };
  });
  return {
    values: Float64Array.from(drawn, ({ value }) => value),
    errors: new Float64Array(count),
    groups: drawn.map((one) => (one.upper ? 'b' : 'a')),
  };
}

describe('levelShifts of series with several levels', () => {
  it('calls a series that flips between two modes bimodal, and finds no step in it', () => {
    for (const [gap, flips] of [
      [3.66, 0.5],
      [0.04, 0.5],
      [0.1, 0.3],
    ] as const) {
      const { values, errors } = twoModes(200, gap, flips);
      const { shifts, modes } = levelShifts(values, errors);
      expect(shifts).toEqual([]);
      expect(modes!.gap).toBeCloseTo(gap, 2);
      expect(modes!.flips).toBeGreaterThan(30);
      expect(modes!.share).toBeGreaterThan(0.3);
    }
  });

  it('calls a series that creeps, or that only scatters, not bimodal', () => {
    for (const slope of [0, 0.0005, 0.001, 0.0022, 0.005]) {
      const bimodal = Array.from({ length: 40 }, (_, seed) =>
        draw({
          seed: seed + 1,
          length: 60,
          level: (at) => slope * Math.max(0, at - 10),
          noise: () => 0.0003,
        }),
      ).filter((values) => levelShifts(values, new Float64Array(60)).modes !== undefined);
      expect(bimodal).toHaveLength(0);
    }
  });

  it('sees two modes in thousands of values, too', () => {
    const { values, errors } = twoModes(6000, 0.1, 0.3);
    expect(levelShifts(values, errors).modes!.gap).toBeCloseTo(0.1, 2);
  });

  it('finds the step that moves both modes', () => {
    const { values, errors } = twoModes(200, 0.1, 0.3, 0.003, (at) => (at >= 120 ? 0.03 : 0));
    const { shifts, modes } = levelShifts(values, errors);
    expect(modes).toBeDefined();
    expect(shifts).toMatchObject([{ kind: 'step', index: 120 }]);
    expect(shifts[0]!.size).toBeCloseTo(0.03, 2);
  });

  it('says so where only the slower mode is left', () => {
    const { values, errors } = twoModes(200, 0.1, 0.5);
    const { values: slow } = twoModes(100, 0, 0.5, 0.003, () => 0.1);
    const { shifts } = levelShifts(
      Float64Array.of(...values, ...slow),
      Float64Array.of(...errors, ...errors.slice(100)),
    );
    expect(shifts.length).toBeGreaterThan(0);
    expect(Math.abs(shifts[0]!.index - 200)).toBeLessThan(12);
    expect(shifts[0]!.size).toBeGreaterThan(0.03);
  });

  it('keeps few changes and their returns as steps, not as modes', () => {
    const { values, errors } = twoModes(200, 0, 0.5, 0.003, (at) => (at % 50 >= 25 ? 0.05 : 0));
    const { shifts, modes } = levelShifts(values.slice(0, 150), errors.slice(0, 150));
    expect(modes).toBeUndefined();
    expect(shifts.map(({ index }) => index)).toEqual([25, 50, 75, 100, 125]);
  });

  it('tells groups apart that take turns, and finds the step under them', () => {
    const { values, errors, groups } = twoModes(200, 0.04, 0.5, 0.003, (at) => (at >= 90 ? 0.01 : 0));
    const { shifts, offsets, modes } = levelShifts(values, errors, { groups });
    expect(modes).toBeUndefined();
    expect(shifts).toMatchObject([{ kind: 'step', index: 90 }]);
    const [first, second] = [...offsets!];
    expect(first![1]).toBe(0);
    expect(Math.abs(second![1])).toBeCloseTo(0.04, 2);
  });

  it('takes no offset from a group that only followed another', () => {
    const { values, errors } = twoModes(100, 0, 0.5, 0.003, (at) => (at >= 50 ? 0.05 : 0));
    const groups = Array.from(values, (_, at) => (at >= 50 ? 'b' : 'a'));
    const { shifts, offsets } = levelShifts(values, errors, { groups });
    expect([...offsets!.keys()]).toHaveLength(1);
    expect(shifts).toMatchObject([{ index: 50 }]);
  });

  it('takes hundreds of thousands of values', () => {
    const { values, errors } = twoModes(300_000, 0, 0.5, 0.01, (at) => (at >= 200_000 ? 0.01 : 0));
    const { shifts } = levelShifts(values, errors);
    expect(shifts).toHaveLength(1);
    expect(Math.abs(shifts[0]!.index - 200_000)).toBeLessThan(50);
  }, 60_000);
});

describe('robustSegments', () => {
  it('costs about as little as the best of all segmentations', () => {
    const values = fc.array(fc.double({ min: 0, max: 12, noNaN: true }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(values, (list) => {
        const series = Float64Array.from(list);
        const { starts } = robustSegments(
          series,
          series.map(() => 1),
          { penalty: 5, cutoff: 3 },
        );
        expect(starts[0]).toBe(0);
        const segments = starts.map((start, k) => list.slice(start, starts[k + 1] ?? list.length));
        const cost = segments.reduce((sum, own) => sum + segmentCost(own, 3), 5 * (starts.length - 1));
        // The grid's levels lie up to a tenth of a standard deviation beside the best.
        expect(cost).toBeLessThan(leastCost(list, 5, 3) + 0.25 * list.length);
      }),
      { numRuns: 40 },
    );
  });
});

describe('seriesNoise', () => {
  it('sees neither steps nor drift nor a few outliers', () => {
    const level = (at: number): number => (at >= 60 ? 0.3 : 0) + 0.001 * at + (at % 37 === 5 ? 0.5 : 0);
    const { deviation } = seriesNoise(draw({ seed: 1, length: 120, level }), new Float64Array(120));
    expect(deviation).toBeGreaterThan(0.7 * NOISE);
    expect(deviation).toBeLessThan(1.4 * NOISE);
  });

  it('tells neighbours that resemble each other from those that do not', () => {
    const errors = new Float64Array(400).fill(NOISE);
    const independent = draw({ seed: 2, length: 400 });
    let last = 0;
    const alike = draw({ seed: 2, length: 400 }).map((value) => (last = 0.7 * last + value));
    expect(seriesNoise(independent, errors).inflation).toBeLessThan(1.3);
    expect(seriesNoise(alike, errors).inflation).toBeGreaterThan(3);
  });
});

describe('levelShifts', () => {
  it('finds a step where it is, with its size in its interval', () => {
    const [shift, ...others] = shiftsIn(draw({ seed: 3, length: 100, level: (at) => (at >= 40 ? 0.05 : 0) }));
    expect(others).toEqual([]);
    expect(shift).toMatchObject({ kind: 'step', index: 40 });
    expect(shift!.low).toBeLessThan(0.05);
    expect(shift!.high).toBeGreaterThan(0.05);
    expect(shift!.p).toBeLessThan(1e-6);
  });

  it('takes a single bad run, wherever it is, for no change', () => {
    for (const place of [0, 20, 38, 39]) {
      const values = draw({ seed: 4, length: 40 });
      values[place]! += 0.5;
      const found = levelShifts(
        values,
        values.map(() => NOISE),
      );
      expect(found.shifts).toEqual([]);
      expect(found.outliers).toEqual([place]);
    }
  });

  it('believes a step as soon as a second value stands by it', () => {
    const level = (at: number): number => (at >= 30 ? 0.3 : 0);
    expect(steps(shiftsIn(draw({ seed: 5, length: 31, level })))).toEqual([]);
    expect(steps(shiftsIn(draw({ seed: 5, length: 32, level })))).toEqual([30]);
  });

  it('calls a drift a creep and not a flight of stairs', () => {
    const [shift, ...others] = shiftsIn(draw({ seed: 6, length: 200, level: (at) => 0.0005 * at }));
    expect(others).toEqual([]);
    expect(shift).toMatchObject({ kind: 'creep', index: 0, last: 199 });
    expect(shift!.low).toBeLessThan(0.1);
    expect(shift!.high).toBeGreaterThan(0.095);
  });

  it('keeps a step a step beside a creep elsewhere', () => {
    const level = (at: number): number => (at < 100 ? 0.001 * at : at < 160 ? 0.1 : -0.2);
    const shifts = shiftsIn(draw({ seed: 7, length: 220, level }));
    expect(shifts.filter(({ kind }) => kind === 'creep')).toHaveLength(1);
    expect(steps(shifts)).toContain(160);
    expect(shifts).toHaveLength(2);
  });

  it('finds more where it is told which values are wild', () => {
    const noise = (at: number): number => (at % 3 === 1 ? 0.1 : 0.005);
    const level = (at: number): number => (at >= 30 ? 0.015 : 0);
    const hits = { told: 0, untold: 0 };
    for (let seed = 0; seed < 30; seed++) {
      const values = draw({ seed: 200 + seed, length: 60, level, noise });
      const near = (errors: Float64Array): boolean =>
        steps(shiftsIn(values, errors)).some((index) => Math.abs(index - 30) <= 2);
      if (near(values.map((_, at) => noise(at)))) hits.told++;
      if (near(values.map(() => 0.005))) hits.untold++;
    }
    expect(hits.told).toBeGreaterThan(20);
    expect(hits.untold).toBeLessThan(hits.told);
  });

  it('alarms on unchanged series no more often than it says', () => {
    let alarms = 0;
    for (let seed = 0; seed < 400; seed++) {
      if (shiftsIn(draw({ seed: 1000 + seed, length: 60 })).length > 0) alarms++;
    }
    // 1 % for steps and as much for a creep: 8 expected at most, standard deviation 2.8.
    expect(alarms).toBeLessThanOrEqual(16);
  });

  it('does not depend on scale, origin or direction', () => {
    const values = draw({ seed: 9, length: 80, level: (at) => (at >= 50 ? 0.04 : 0) });
    const plain = shiftsIn(values);
    const shifted = levelShifts(
      values.map((value) => value + 5),
      values.map(() => NOISE / 2),
    ).shifts;
    expect(shifted.map(({ index }) => index)).toEqual(plain.map(({ index }) => index));
    const mirrored = levelShifts(
      values.map((value) => -value),
      values.map(() => NOISE / 2),
    ).shifts;
    expect(mirrored[0]!.size).toBeCloseTo(-plain[0]!.size, 6);
  });

  it('finds nothing where nothing can be: too few values, or the same value again and again', () => {
    expect(shiftsIn(Float64Array.of(1, 1, 9, 9))).toEqual([]);
    expect(shiftsIn(new Float64Array(50).fill(2))).toEqual([]);
    expect(levelShifts([3], [0.1]).levels).toEqual(Float64Array.of(3));
  });

  it('refuses what it cannot work with', () => {
    expect(() => levelShifts([], [])).toThrow(RangeError);
    expect(() => levelShifts([1, 2], [1])).toThrow(RangeError);
    expect(() => levelShifts([1, Number.NaN, 2, 3, 4], [1, 1, 1, 1, 1])).toThrow(RangeError);
    expect(() => levelShifts([1, 2, 3], [1, 1, 1], { maxP: 0 })).toThrow(RangeError);
  });
});
