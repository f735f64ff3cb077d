import type { Verdict } from '../../model/judge/verdict.ts';

/** Two kernels, and what the comparison of the candidate with the baseline came to. */
export interface JudgedPair {
  readonly baseline: string;
  readonly candidate: string;
  readonly verdict: Verdict;
}

export type Rank = [best: number, worst: number];

/**
 * The places that the comparisons of all pairs leave open for each kernel: below every kernel that is shown to be
 * faster, above every one that is shown to be slower. Kernels that are not told apart share places. All pairs are one
 * family under Holm's correction, so all ranks hold together at the stated rate (Al Mohamad, Goeman & van Zwet,
 * "Simultaneous confidence intervals for ranks with application to ranking institutions", Biometrics 78(1), 2022).
 */
export function rankKernels(kernels: readonly string[], pairs: readonly JudgedPair[]): Map<string, Rank> {
  const slowerThan = fasterPairs(kernels, pairs);
  const isFaster = (one: string, other: string): boolean =>
    slowerThan.get(one)!.has(other) && !slowerThan.get(other)!.has(one);
  return new Map(
    kernels.map((kernel) => {
      const faster = kernels.filter((other) => isFaster(other, kernel)).length;
      const slower = kernels.filter((other) => isFaster(kernel, other)).length;
      return [kernel, [1 + faster, kernels.length - slower]];
    }),
  );
}

/** For each kernel those that it beats, also by way of others: who beats a winner beats whom the winner beat. */
function fasterPairs(
  kernels: readonly string[],
  pairs: readonly JudgedPair[],
): Map<string, ReadonlySet<string>> {
  const beats = new Map(kernels.map((kernel) => [kernel, new Set<string>()]));
  for (const { baseline, candidate, verdict } of pairs) {
    if (verdict === 'improved') beats.get(candidate)?.add(baseline);
    if (verdict === 'regressed') beats.get(baseline)?.add(candidate);
  }
  for (const by of kernels) {
    for (const one of kernels) {
      if (!beats.get(one)!.has(by)) continue;
      for (const other of beats.get(by)!) beats.get(one)!.add(other);
    }
  }
  return beats;
}
