import { describe, expect, it } from 'vitest';

import { Expression } from '../../../src/config/expression/expression.ts';
import { normalCdf } from '../../../src/stats/normal.ts';
import { Xoshiro128 } from '../../../src/stats/random.ts';
import { Candidates } from '../../../src/tune/samplers/model/candidates.ts';
import { Cholesky } from '../../../src/stats/cholesky.ts';
import { DeadValues } from '../../../src/tune/samplers/model/dead-values.ts';
import { Encoding } from '../../../src/tune/samplers/model/encoding.ts';
import { expectedImprovement } from '../../../src/tune/samplers/model/expected-improvement.ts';
import { Feasibility } from '../../../src/tune/samplers/model/feasibility.ts';
import { KernelFit } from '../../../src/tune/samplers/model/fit-kernel.ts';
import { Layout } from '../../../src/tune/samplers/model/hyperparameters.ts';
import { Kernel } from '../../../src/tune/samplers/model/kernel.ts';
import { Process } from '../../../src/tune/samplers/model/process.ts';
import { FULL_VIEW, MODEL_SETTINGS } from '../../../src/tune/samplers/model/settings.ts';
import { Scratch, Surrogate } from '../../../src/tune/samplers/model/surrogate.ts';
import { topIndices } from '../../../src/tune/samplers/model/top-indices.ts';
import { warpTimes } from '../../../src/tune/samplers/model/warp-times.ts';
import { createSpace } from '../../../src/tune/space/create-space.ts';
import type { Space } from '../../../src/tune/space/space.ts';

function space(): Space {
  return createSpace({
    parameters: [
      { name: 'block_x', kind: 'ordered', values: [16, 32, 48, 64, 128] },
      { name: 'block_y', kind: 'ordered', values: [1, 2, 4] },
      { name: 'method', kind: 'categorical', values: ['a', 'b', 'c'] },
    ],
    constraints: [
      Expression.parse('block_x * block_y <= 256'),
      Expression.parse('block_x % (8 * block_y) == 0'),
    ],
  });
}

/** A kernel with the prior's medians, over a space's feasible points. */
function setUp() {
  const here = space();
  const points = here.all()!;
  const encoding = new Encoding(here, points, FULL_VIEW);
  const layout = new Layout(encoding, MODEL_SETTINGS);
  const kernel = new Kernel(encoding, layout, Float64Array.from(layout.medians), 0.3);
  const candidates = new Candidates(encoding, points);
  return { space: here, points, encoding, layout, kernel, candidates };
}

describe('the encoding', () => {
  it('has the tunables, what constraints compute and how round sizes are, each once', () => {
    const { encoding } = setUp();
    expect(encoding.columns.map(({ name }) => name)).toEqual([
      'block_x',
      'block_y',
      'method',
      'powers of two',
      'halvings of block_x',
      '*(block_x, block_y)',
      '/(block_x, *(8, block_y))',
    ]);
    expect(encoding.tunables).toBe(3);
  });

  it('keeps every position between 0 and 1', () => {
    for (const { positions } of setUp().encoding.columns) {
      expect(positions.every((position) => position >= 0 && position <= 1)).toBe(true);
    }
  });
});

describe('the surrogate', () => {
  it('predicts what the textbook formulas do', () => {
    const { points, encoding, kernel, candidates } = setUp();
    const observed = [0, 7, 13, 20].map((index) => points[index]!);
    const targets = Float64Array.of(0.3, -1, 1.2, -0.5);
    const process = new Process(kernel, 2);
    const surrogate = new Surrogate(process, candidates, new Scratch(candidates.capacity));
    for (const point of observed) process.add(encoding.encode(point));
    surrogate.fill(Infinity);
    const means = surrogate.means(targets);
    const covariance = (one: number, other: number) => {
      const [a, b] = [encoding.encode(points[one]!), encoding.encode(points[other]!)];
      return kernel.productOf(a, b) + kernel.sumOf(a, b);
    };
    const indices = [0, 7, 13, 20];
    const matrix = indices.map((i) => indices.map((k) => covariance(i, k) + (i === k ? kernel.noise : 0)));
    for (const candidate of [1, 7, 15, 28]) {
      const row = indices.map((i) => covariance(candidate, i));
      const mean = dot(row, solve(matrix, [...targets]));
      const variance = kernel.variance - dot(row, solve(matrix, row));
      expect(means[candidate]).toBeCloseTo(mean, 5);
      expect(surrogate.deviations([candidate])[0]).toBeCloseTo(Math.sqrt(variance), 3);
      expect(surrogate.deviationBound(candidate)).toBeGreaterThanOrEqual(Math.sqrt(variance) - 1e-6);
    }
  });

  it('is surer about points near one under way, and predicts the same', () => {
    const { points, encoding, kernel, candidates } = setUp();
    const process = new Process(kernel, 8);
    const surrogate = new Surrogate(process, candidates, new Scratch(candidates.capacity));
    for (const index of [0, 9, 17]) process.add(encoding.encode(points[index]!));
    surrogate.fill(Infinity);
    const targets = Float64Array.of(1, -1, 0);
    const before = Float64Array.from(surrogate.means(targets));
    const [deviation] = surrogate.deviations([11]);
    process.add(encoding.encode(points[12]!));
    surrogate.fill(Infinity);
    expect(Float64Array.from(surrogate.means(targets))).toEqual(before);
    expect(surrogate.deviations([11])[0]).toBeLessThan(deviation!);
  });
});

describe('fitting a kernel', () => {
  it('raises the posterior of its hyperparameters', () => {
    const { points, encoding, kernel, layout } = setUp();
    const observed = points.map((point) => encoding.encode(point));
    const targets = warpTimes(
      points.map(([x = 0, y = 0]) => 1 + (x - 2) ** 2 + 0.1 * y),
      'log',
    );
    const posterior = ({ theta }: Kernel) => {
      const at = new Kernel(encoding, layout, theta, 0.3);
      const matrix = observed.map((one, i) =>
        observed.map(
          (other, k) => at.productOf(one, other) + at.sumOf(one, other) + (i === k ? at.noise : 0),
        ),
      );
      const cholesky = new Cholesky(observed.length);
      for (const [i, row] of matrix.entries()) cholesky.append(Float64Array.from(row.slice(0, i + 1)), 0);
      const white = new Float64Array(observed.length);
      cholesky.forward(targets, white);
      const inverse = cholesky.inverse();
      let log = 0;
      for (const [i, value] of white.entries()) {
        log += Math.log(inverse[i * observed.length + i]!) - 0.5 * value ** 2;
      }
      for (const [i, value] of theta.entries()) {
        const spread = layout.spreads[i]!;
        if (spread > 0) log -= 0.5 * ((value - layout.medians[i]!) / spread) ** 2;
      }
      return log;
    };
    const fit = new KernelFit(kernel);
    for (let step = 0; step < 30; step++) fit.step(observed, targets);
    expect(posterior(fit.kernel)).toBeGreaterThan(posterior(kernel) + 1);
    expect(fit.kernel.theta.every(Number.isFinite)).toBe(true);
  });

  it('stays finite where all targets are equal', () => {
    const { points, encoding, kernel } = setUp();
    const fit = new KernelFit(kernel);
    const observed = points.map((point) => encoding.encode(point));
    for (let step = 0; step < 10; step++) fit.step(observed, new Float64Array(points.length));
    expect(fit.kernel.theta.every(Number.isFinite)).toBe(true);
  });
});

describe('the feasibility estimate', () => {
  it('is low near what failed, high near what ran, and the share in between', () => {
    const { points, encoding, candidates } = setUp();
    const feasibility = new Feasibility(encoding, candidates);
    const [failed, ran] = [points[0]!, points.at(-1)!];
    for (let vote = 0; vote < 3; vote++) {
      feasibility.vote(encoding.encode(failed), false);
      feasibility.vote(encoding.encode(ran), true);
    }
    const probabilities = points.map((_, index) => feasibility.probability(index));
    expect(probabilities[0]).toBe(Math.min(...probabilities));
    expect(probabilities.at(-1)).toBe(Math.max(...probabilities));
    expect(probabilities.every((probability) => probability > 0 && probability <= 1)).toBe(true);
  });
});

describe('values that never run', () => {
  it('lose their chance within a dozen failures, and others that were tried beside them keep theirs', () => {
    const { points, encoding, candidates } = setUp();
    const dead = new DeadValues(encoding, candidates);
    const encoded = points.map((point) => encoding.encode(point));
    const factorsOf = (is: (point: Uint16Array) => boolean) =>
      encoded.flatMap((point, index) => (is(point) ? [dead.factor(index)] : []));
    // Method a never runs; block_x = 16 is only ever tried with it, block_x = 128 runs.
    for (const point of encoded.filter(([, , method]) => method === 0)) dead.vote(point, false);
    for (const point of encoded.filter(([x, , method]) => x! > 0 && method === 1)) dead.vote(point, true);
    dead.update();
    expect(Math.max(...factorsOf(([, , method]) => method === 0))).toBeLessThan(0.05);
    expect(Math.min(...factorsOf(([x, , method]) => x === 0 && method === 1))).toBeGreaterThan(0.3);
    expect(factorsOf(([x, , method]) => x! > 0 && method === 1).every((factor) => factor === 1)).toBe(true);
    // One success, and it is for the neighbours to tell.
    dead.vote(encoded[0]!, true);
    dead.update();
    expect(candidates.indexOf(points[0]!)).toBe(0);
    expect(dead.factor(0)).toBe(1);
  });
});

describe('expectedImprovement', () => {
  it('agrees with its definition to six digits', () => {
    for (const [mean, deviation, best] of [
      [0, 1, 0],
      [1, 0.5, 0.2],
      [-2, 3, 0],
      [3, 1, 0],
    ] as const) {
      const z = (best - mean) / deviation;
      const density = Math.exp(-0.5 * z * z) / Math.sqrt(2 * Math.PI);
      const exact = (best - mean) * normalCdf(z) + deviation * density;
      expect(expectedImprovement(mean, deviation, best)).toBeCloseTo(exact, 6);
    }
  });

  it('orders even hopeless candidates, and is never negative', () => {
    const improvements = [5, 10, 20, 30].map((mean) => expectedImprovement(mean, 1, 0));
    expect(improvements.every((value) => value >= 0)).toBe(true);
    expect(improvements.toSorted((one, other) => other - one)).toEqual(improvements);
  });
});

describe('warpTimes', () => {
  it.each(['log', 'shifted-log', 'rank'] as const)('keeps the order of times with mean 0 by %s', (warp) => {
    const warped = warpTimes([3, 1, 100, 2, 1], warp);
    expect(warped.every(Number.isFinite)).toBe(true);
    expect(warped.reduce((sum, value) => sum + value, 0)).toBeCloseTo(0, 9);
    expect(warped[1]).toBe(warped[4]);
    expect([warped[1]! < warped[3]!, warped[3]! < warped[0]!, warped[0]! < warped[2]!]).toEqual([
      true,
      true,
      true,
    ]);
  });

  it.each(['log', 'shifted-log', 'rank'] as const)('has zeros for equal times by %s', (warp) => {
    expect([...warpTimes([2, 2, 2], warp)].map((value) => value + 0)).toEqual([0, 0, 0]);
  });
});

describe('topIndices', () => {
  it('finds what sorting finds', () => {
    const random = new Xoshiro128(4);
    const values = Float64Array.from({ length: 500 }, () => random.nextOpen() - 0.2);
    const sorted = [...values.keys()].filter((i) => values[i]! >= 0).sort((a, b) => values[b]! - values[a]!);
    expect(topIndices(values, 500, 20)).toEqual(sorted.slice(0, 20));
    expect(topIndices(values, 500, 1000)).toEqual(sorted);
  });
});

function dot(one: readonly number[], other: readonly number[]): number {
  return one.reduce((sum, value, i) => sum + value * other[i]!, 0);
}

/** Gauss and Jordan, with pivots. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, i) => [...row, right[i]!]);
  for (let column = 0; column < rows.length; column++) {
    const pivot = rows.reduce(
      (best, row, i) => (i >= column && Math.abs(row[column]!) > Math.abs(rows[best]![column]!) ? i : best),
      column,
    );
    [rows[column], rows[pivot]] = [rows[pivot]!, rows[column]!];
    for (const [i, row] of rows.entries()) {
      if (i === column) continue;
      const factor = row[column]! / rows[column]![column]!;
      for (let k = column; k < row.length; k++) row[k]! -= factor * rows[column]![k]!;
    }
  }
  return rows.map((row, i) => row.at(-1)! / row[i]!);
}
