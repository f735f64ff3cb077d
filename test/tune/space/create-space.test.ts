import { describe, expect, it } from 'vitest';

import { Expression } from '../../../src/config/expression/expression.ts';
import type { Variant } from '../../../src/model/problem/variant.ts';
import { Xoshiro128 } from '../../../src/stats/random.ts';
import { createSpace } from '../../../src/tune/space/create-space.ts';
import type { SpaceParameter } from '../../../src/tune/space/rule.ts';
import { pointKey } from '../../../src/tune/space/space.ts';
import { extentText } from '../../../src/tune/space/space-extent.ts';
import { bruteForce } from './brute-force.ts';

const ordered = (name: string, values: readonly number[]): SpaceParameter => ({
  name,
  kind: 'ordered',
  values,
});
const parse = (sources: readonly string[]) => sources.map((source) => Expression.parse(source));

const PARAMETERS: readonly SpaceParameter[] = [
  ordered('X', [16, 32, 48, 64, 80, 96, 112, 128, 256]),
  ordered('Y', [1, 2, 4, 8, 16]),
  ordered('TX', [1, 2, 3, 4]),
  ordered('TY', [1, 2, 3, 4]),
  { name: 'MODE', kind: 'categorical', values: ['tma', 'async', 'plain'] },
  { name: 'PAD', kind: 'boolean', values: [false, true] },
];
const CONSTRAINTS = [
  'not PAD or X % 32 != 0',
  '64 <= X * Y <= 1024',
  'MODE != "tma" or TX * TY in (1, 2, 4)',
  '(X * TX + 14) * (Y * TY + 14) < LIMIT',
];

describe('a space of feasible points', () => {
  const options = {
    parameters: PARAMETERS,
    constraints: parse(CONSTRAINTS),
    constants: { LIMIT: 12 * 1024 },
  };
  const space = createSpace(options);
  const expected = bruteForce(options);

  it('holds what trying every combination finds, in order, and counts it exactly', () => {
    expect(space.all()).toEqual(expected);
    expect(space.size).toBe(expected.length);
    expect(space.extent).toEqual({ product: 4320, feasible: { exact: expected.length } });
  });

  it('knows its own points, and no others', () => {
    const keys = new Set(expected.map(pointKey));
    for (let x = 0; x < 9; x++) {
      for (let y = 0; y < 5; y++) {
        for (let mode = 0; mode < 3; mode++) {
          const point = [x, y, 1, 2, mode, 1];
          expect(space.contains(point)).toBe(keys.has(pointKey(point)));
        }
      }
    }
    expect(space.contains([0, 0])).toBe(false);
    expect(space.contains([99, 0, 0, 0, 0, 0])).toBe(false);
    expect(space.contains([0.5, 2, 0, 0, 0, 0])).toBe(false);
  });

  it('turns points into variants and back', () => {
    for (const point of expected.slice(0, 50)) {
      expect(space.pointOf(space.variantOf(point))).toEqual(point);
    }
    const broken: Variant = { X: 256, Y: 16, TX: 1, TY: 1, MODE: 'tma', PAD: false };
    expect(space.pointOf(broken)).toBeUndefined();
    expect(space.pointOf({ ...broken, X: 17, Y: 4 })).toBeUndefined();
    expect(space.pointOf({ X: 16 })).toBeUndefined();
  });

  it('has neighbours that differ in one parameter; ordered ones by a step where steps are asked for', () => {
    const keys = new Set(expected.map(pointKey));
    const [point] = space.sample(1, new Xoshiro128(3));
    for (const reach of ['step', 'any'] as const) {
      const wanted = expected.filter((other) => {
        const moved = other.flatMap((value, slot) => (value === point![slot] ? [] : [slot]));
        if (moved.length !== 1) return false;
        const slot = moved[0]!;
        return reach === 'any' || slot >= 4 || Math.abs(other[slot]! - point![slot]!) === 1;
      });
      const found = space.neighbours(point!, reach);
      expect(found.map(pointKey).sort()).toEqual(wanted.map(pointKey).sort());
      expect(found.every((other) => keys.has(pointKey(other)))).toBe(true);
    }
  });

  it('draws distinct points, the same for the same seed, and all of them when asked for more', () => {
    const drawn = space.sample(200, new Xoshiro128(7));
    expect(new Set(drawn.map(pointKey)).size).toBe(200);
    expect(drawn).toEqual(space.sample(200, new Xoshiro128(7)));
    expect(drawn).not.toEqual(space.sample(200, new Xoshiro128(8)));
    const every = space.sample(expected.length + 10, new Xoshiro128(7));
    expect(every.map(pointKey).sort()).toEqual(expected.map(pointKey).sort());
  });

  it('draws every point equally often', () => {
    const small = createSpace({
      parameters: PARAMETERS.slice(0, 2),
      constraints: parse(['64 <= X * Y <= 128']),
    });
    const counts = new Map<string, number>();
    const random = new Xoshiro128(11);
    const draws = 30_000;
    for (let draw = 0; draw < draws; draw++) {
      const key = pointKey(small.sample(1, random)[0]!);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    const expectedCount = draws / small.size!;
    let chiSquare = 0;
    for (const count of counts.values()) chiSquare += (count - expectedCount) ** 2 / expectedCount;
    expect(counts.size).toBe(small.size);
    // Mean k, standard deviation √2k of a chi-square of k degrees of freedom; the seed is fixed.
    const freedom = small.size! - 1;
    expect(chiSquare).toBeLessThan(freedom + 4 * Math.sqrt(2 * freedom));
  });
});

describe('a tunable that applies only when', () => {
  const parameters: readonly SpaceParameter[] = [
    { name: 'CP_ASYNC', kind: 'boolean', values: [false, true] },
    { ...ordered('STAGES', [1, 2, 3, 4]), when: Expression.parse('CP_ASYNC') },
    { ...ordered('AHEAD', [0, 1]), when: Expression.parse('STAGES > 2') },
  ];

  it('stays at its default elsewhere, so that no program is in the space twice', () => {
    const space = createSpace({ parameters, defaults: { CP_ASYNC: true, STAGES: 2, AHEAD: 0 } });
    expect(space.all()?.map((point) => space.variantOf(point))).toEqual([
      { CP_ASYNC: false, STAGES: 2, AHEAD: 0 },
      { CP_ASYNC: true, STAGES: 1, AHEAD: 0 },
      { CP_ASYNC: true, STAGES: 2, AHEAD: 0 },
      { CP_ASYNC: true, STAGES: 3, AHEAD: 0 },
      { CP_ASYNC: true, STAGES: 3, AHEAD: 1 },
      { CP_ASYNC: true, STAGES: 4, AHEAD: 0 },
      { CP_ASYNC: true, STAGES: 4, AHEAD: 1 },
    ]);
    expect(space.extent.product).toBe(16);
  });
});

describe('edges', () => {
  it('a space without parameters has one point, or none', () => {
    expect(createSpace({ parameters: [] }).all()).toEqual([[]]);
    const impossible = createSpace({
      parameters: [],
      constraints: parse(['D <= 64']),
      constants: { D: 128 },
    });
    expect(impossible.size).toBe(0);
    expect(impossible.sample(1, new Xoshiro128(1))).toEqual([]);
  });

  it('a constraint over constants alone holds for all points or for none', () => {
    const parameters = [ordered('A', [1, 2])];
    const constraints = parse(['D <= 64']);
    expect(createSpace({ parameters, constraints, constants: { D: 64 } }).size).toBe(2);
    expect(createSpace({ parameters, constraints, constants: { D: 128 } }).size).toBe(0);
  });

  it('a point at which a constraint cannot be computed is not feasible', () => {
    const space = createSpace({
      parameters: [ordered('A', [4, 6]), ordered('B', [0, 2, 4])],
      constraints: parse(['A % B == 0']),
    });
    expect(space.all()).toEqual([
      [0, 1],
      [0, 2],
      [1, 1],
    ]);
  });

  it('names a constraint cannot know are refused', () => {
    expect(() => createSpace({ parameters: [ordered('A', [1])], constraints: parse(['A < C']) })).toThrow(
      /`C`/,
    );
  });

  it('parameters with more values than a machine word has bits are read all the same', () => {
    const options = {
      parameters: [
        ordered(
          'A',
          Array.from({ length: 40 }, (_, value) => value),
        ),
        ordered(
          'B',
          Array.from({ length: 35 }, (_, value) => 3 * value),
        ),
        ordered('C', [1, 2, 3]),
      ],
      constraints: parse(['A % C == 0', '(A + B) % 7 == C', 'B > A or C != 2']),
    };
    const expected = bruteForce(options);
    expect(createSpace(options).all()).toEqual(expected);
    expect(createSpace({ ...options, maxEdges: 8 }).all()).toEqual(expected);
  });

  it('where constraints stay open, the size is an interval that holds the truth and draws are still uniform', () => {
    // All different, from twenty values each: 20! / 15!. With so few edges most of the constraints stay open.
    const parameters = ['A', 'B', 'C', 'D', 'E'].map((name) =>
      ordered(name, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19]),
    );
    const constraints = parse(
      parameters.flatMap(({ name }, index) =>
        parameters.slice(index + 1).map((other) => `${name} != ${other.name}`),
      ),
    );
    const truth = 20 * 19 * 18 * 17 * 16;
    expect(createSpace({ parameters, constraints }).size).toBe(truth);
    const space = createSpace({ parameters, constraints, maxEdges: 50 });
    expect(space.size).toBeUndefined();
    const { feasible } = space.extent;
    if ('exact' in feasible) throw new Error('it was counted');
    expect(feasible.low).toBeLessThan(truth);
    expect(feasible.high).toBeGreaterThan(truth);
    const points = space.sample(4000, new Xoshiro128(5));
    expect(new Set(points.map(pointKey)).size).toBe(4000);
    expect(points.every((point) => space.contains(point))).toBe(true);
    // By symmetry every value of every parameter has a twentieth; 200 expected, √190 the standard deviation.
    for (let slot = 0; slot < 5; slot++) {
      for (let value = 0; value < 20; value++) {
        const count = points.filter((point) => point[slot] === value).length;
        expect(Math.abs(count - 200)).toBeLessThan(5 * Math.sqrt(190));
      }
    }
  });

  it('finds points by searching where hardly any draw would be feasible', () => {
    const parameters = Array.from({ length: 9 }, (_, index) =>
      ordered(`P${index}`, [0, 1, 2, 3, 4, 5, 6, 7]),
    );
    const equal = parameters
      .slice(1)
      .map(({ name }) => `P0 == ${name}`)
      .join(' and ');
    const space = createSpace({ parameters, constraints: parse([`(${equal}) or P0 > 99`]), maxEdges: 1 });
    const points = space.sample(3, new Xoshiro128(2));
    expect(points.length).toBeGreaterThan(0);
    expect(points.every((point) => new Set(point).size === 1)).toBe(true);
  });

  it('a trillion combinations without a constraint are counted, drawn from and not listed', () => {
    const parameters = Array.from({ length: 12 }, (_, index) =>
      ordered(
        `P${index}`,
        Array.from({ length: 10 }, (_unused, value) => value),
      ),
    );
    const space = createSpace({ parameters });
    expect(space.size).toBe(1e12);
    expect(space.all()).toBeUndefined();
    expect(space.sample(100, new Xoshiro128(1))).toHaveLength(100);
    const ten = parameters[0]!.values;
    const vast = createSpace({
      parameters: Array.from({ length: 24 }, (_, index): SpaceParameter => ({
        name: `Q${index}`,
        kind: 'ordered',
        values: ten,
      })),
    });
    expect(vast.size).toBeUndefined();
    expect(extentText(vast.extent)).toBe('about 1.00·10^24 of 1.00·10^24 combinations are feasible');
    expect(vast.sample(10, new Xoshiro128(1))).toHaveLength(10);
  });
});
