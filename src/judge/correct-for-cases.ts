import type { Correction } from '../model/judge/comparison.ts';

/** One p-value among many: adjusted, and the level at which its own test and interval are read instead. */
export interface Corrected {
  readonly pAdjusted: number;
  /** `p ≤ alpha` here says the same as `pAdjusted ≤ alpha` of the whole family. */
  readonly alpha: number;
}

/**
 * Allows for judging many cases at once, so that tests and intervals agree: a case's interval at its own `alpha`
 * excludes "no change" exactly when its adjusted p-value is at most the family's.
 *
 * `holm` bounds the chance of any false alarm at all (Holm, "A simple sequentially rejective multiple test
 * procedure", Scandinavian Journal of Statistics 6(2), 1979; intervals after Guilbaud, "Simultaneous confidence
 * regions corresponding to Holm's step-down procedure", Biometrical Journal 50(5), 2008). `bh` bounds the expected
 * share of false ones among the alarms (Benjamini & Hochberg, JRSS B 57(1), 1995; intervals after Benjamini &
 * Yekutieli, "False discovery rate-adjusted multiple confidence intervals", JASA 100(469), 2005).
 */
export function correctForCases(
  pValues: readonly number[],
  alpha: number,
  correction: Correction,
): Corrected[] {
  switch (correction) {
    case 'none':
      return pValues.map((p) => ({ pAdjusted: p, alpha }));
    case 'holm':
      return holm(pValues, alpha);
    case 'bh':
      return benjaminiHochberg(pValues, alpha);
  }
}

function holm(pValues: readonly number[], alpha: number): Corrected[] {
  const order = ascendingOrder(pValues);
  const count = pValues.length;
  const corrected = Array.from<Corrected>({ length: count });
  let pAdjusted = 0;
  let level = 0;
  order.forEach((place, rank) => {
    // After the first case that does not pass, the rest are read at its level: Holm's procedure stops there.
    if (pAdjusted <= alpha) level = alpha / (count - rank);
    pAdjusted = Math.max(pAdjusted, Math.min(1, (count - rank) * pValues[place]!));
    corrected[place] = { pAdjusted, alpha: level };
  });
  return corrected;
}

function benjaminiHochberg(pValues: readonly number[], alpha: number): Corrected[] {
  const order = ascendingOrder(pValues);
  const count = pValues.length;
  const adjusted = new Float64Array(count);
  let smallest = 1;
  for (let rank = count; rank >= 1; rank--) {
    const place = order[rank - 1]!;
    smallest = Math.min(smallest, (count / rank) * pValues[place]!);
    adjusted[place] = smallest;
  }
  const passed = adjusted.filter((p) => p <= alpha).length;
  return Array.from(adjusted, (pAdjusted) => ({
    pAdjusted,
    alpha: (alpha * (pAdjusted <= alpha ? passed : passed + 1)) / count,
  }));
}

function ascendingOrder(values: readonly number[]): number[] {
  return values.map((_, place) => place).sort((a, b) => values[a]! - values[b]!);
}
