export interface Bins {
  readonly low: number;
  readonly high: number;
  /** Of each side, the share of its samples in each bin. */
  readonly shares: readonly (readonly number[])[];
  readonly peak: number;
  /** Samples of each side beyond the drawn range. */
  readonly outside: readonly number[];
}

const BINS = 48;

/**
 * Sides in the same bins, as shares, so that sides of unequal size compare. The range is the middle 98 % of all: a few
 * long samples would leave the rest one bar; how many are outside is said.
 */
export function sharedBins(sides: readonly (readonly number[])[]): Bins | undefined {
  const all = sides.flat().toSorted((one, other) => one - other);
  if (all.length === 0) return undefined;
  const at = (share: number): number => all[Math.round(share * (all.length - 1))] ?? 0;
  const margin = Math.max((at(0.99) - at(0.01)) * 0.1, at(0.5) * 0.002);
  const [low, high] = [at(0.01) - margin, at(0.99) + margin];
  const outside = sides.map((side) => side.filter((value) => value < low || value > high).length);
  const shares = sides.map((side) => {
    const counts = Array.from({ length: BINS }, () => 0);
    for (const value of side) {
      const bin = Math.min(BINS - 1, Math.floor(((value - low) / (high - low)) * BINS));
      if (value >= low && value <= high) counts[bin] = (counts[bin] ?? 0) + 1;
    }
    return counts.map((count) => count / Math.max(1, side.length));
  });
  return { low, high, shares, outside, peak: Math.max(...shares.flat()) };
}
