import { expect, it } from 'vitest';

import { Cholesky } from '../../src/stats/cholesky.ts';

const MATRIX = [
  [4, 2, -2],
  [2, 10, 5],
  [-2, 5, 9],
];

/** Of capacity 1, so that it has to grow. */
function factored(): Cholesky {
  const cholesky = new Cholesky(1);
  for (const [row, entries] of MATRIX.entries())
    cholesky.append(Float64Array.from(entries.slice(0, row + 1)), 0);
  return cholesky;
}

it('solves what the matrix makes of a vector', () => {
  const wanted = [1, -2, 3];
  const product = MATRIX.map((row) => row.reduce((sum, entry, at) => sum + entry * wanted[at]!, 0));
  const solution = new Float64Array(3);
  const cholesky = factored();
  cholesky.forward(product, solution);
  cholesky.backward(solution);
  for (const [at, value] of solution.entries()) expect(value).toBeCloseTo(wanted[at]!, 12);
});

it('keeps the least of a variance that two equal rows leave nothing of, and forgets rows', () => {
  const cholesky = new Cholesky(2);
  cholesky.append(Float64Array.of(4), 1e-4);
  cholesky.append(Float64Array.of(4, 4), 1e-4);
  expect([...cholesky.inverse()].map((value) => Number(value.toFixed(6)))).toEqual([0.5, 0, -100, 100]);
  cholesky.truncate(1);
  expect(cholesky.size).toBe(1);
});

it('sums the squares of four solutions as of one', () => {
  const cholesky = factored();
  const sides = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
    [3, -1, 2],
  ];
  const together = Float64Array.from([0, 1, 2].flatMap((row) => sides.map((side) => side[row]!)));
  const sums = new Float64Array(4);
  cholesky.squaredSolutions(together, new Float64Array(12), sums);
  for (const [at, side] of sides.entries()) {
    const alone = new Float64Array(3);
    cholesky.forward(side, alone);
    expect(sums[at]).toBeCloseTo(
      alone.reduce((sum, value) => sum + value * value, 0),
      12,
    );
  }
});
