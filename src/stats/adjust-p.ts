/**
 * p values adjusted for testing several hypotheses at once, in the order given: reject those at or below α.
 */

/**
 * Holm's step-down ("A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics
 * 6(2), 1979): keeps the chance of even one false alarm below α, whatever the dependence.
 */
export function holm(pValues: ArrayLike<number>): number[] {
  const order = ascendingOrder(pValues);
  const adjusted = order.map(() => 0);
  let highest = 0;
  order.forEach((index, rank) => {
    highest = Math.max(highest, (order.length - rank) * pValues[index]!);
    adjusted[index] = Math.min(1, highest);
  });
  return adjusted;
}

/**
 * Benjamini & Hochberg's step-up ("Controlling the false discovery rate", Journal of the Royal Statistical Society B
 * 57(1), 1995): keeps the expected share of false alarms among alarms below α, for independent or positively
 * dependent tests.
 */
export function benjaminiHochberg(pValues: ArrayLike<number>): number[] {
  const order = ascendingOrder(pValues);
  const adjusted = order.map(() => 0);
  let lowest = 1;
  for (let rank = order.length; rank >= 1; rank--) {
    const index = order[rank - 1]!;
    lowest = Math.min(lowest, (order.length / rank) * pValues[index]!);
    adjusted[index] = lowest;
  }
  return adjusted;
}

function ascendingOrder(pValues: ArrayLike<number>): number[] {
  const indices = Array.from(pValues, (p, index) => {
    if (!(p >= 0 && p <= 1)) throw new RangeError(`a p value lies between 0 and 1, not at ${p}`);
    return index;
  });
  return indices.sort((a, b) => pValues[a]! - pValues[b]!);
}
