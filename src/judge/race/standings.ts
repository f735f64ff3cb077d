import type { RaceCase, Speedup, Standing } from '../../model/judge/race.ts';

/**
 * Where kernels stand over all cases: the places that every case leaves open, and the geometric mean of the speed-ups.
 * Intervals of cases are averaged likewise, which is cautious: errors of different cases would cancel.
 */
export function standings(cases: readonly RaceCase[]): Standing[] {
  const names = [...new Set(cases.flatMap(({ kernels }) => kernels.map(({ kernel }) => kernel)))];
  return names
    .map((kernel) => standingOf(kernel, cases))
    .toSorted((one, other) => (one.rank?.[0] ?? Infinity) - (other.rank?.[0] ?? Infinity));
}

function standingOf(kernel: string, cases: readonly RaceCase[]): Standing {
  const own = cases.map(({ kernels }) => kernels.find((one) => one.kernel === kernel));
  const ranks = own.map((one) => one?.rank);
  const speedups = own.map((one) => one?.speedup);
  return {
    kernel,
    ...(speedups.every((one) => one !== undefined) && { speedup: meanOf(speedups) }),
    ...(ranks.every((one) => one !== undefined) && { rank: spanOf(ranks) }),
  };
}

function spanOf(ranks: readonly (readonly [number, number])[]): [number, number] {
  return [Math.min(...ranks.map(([first]) => first)), Math.max(...ranks.map(([, last]) => last))];
}

function meanOf(speedups: readonly Speedup[]): Speedup {
  const mean = (part: keyof Speedup): number =>
    Math.exp(speedups.reduce((sum, one) => sum + Math.log(one[part]), 0) / speedups.length);
  return { estimate: mean('estimate'), low: mean('low'), high: mean('high') };
}
