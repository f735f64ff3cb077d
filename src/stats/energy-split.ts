/** The best place to split a stretch of a series in two. */
export interface Split {
  /** Where the second part begins. */
  readonly index: number;
  /** The scaled energy distance q̂ of the two parts: larger is more different. */
  readonly distance: number;
}

/**
 * The split of values[start, end) into X = [start, τ) and Y = [τ, κ) that maximises the scaled energy distance
 *
 *     q̂(X, Y) = nm/(n + m) · (2·mean|x − y| − mean|x − x′| − mean|y − y′|)
 *
 * over τ and κ ≤ end, the means of x, x′ and y, y′ over different values (Matteson & James, "A nonparametric approach
 * for multiple change point analysis of multivariate data", JASA 109(505), 2014, equations 5 and 7, α = 1). Y may end
 * early, so that a later change back doesn't hide the first. Quadratic: for each κ one pass over τ updates the sums of
 * distances. Undefined for fewer than two values.
 */
export function energySplit(values: Float64Array, start: number, end: number): Split | undefined {
  const size = end - start;
  if (size < 2) return undefined;
  // Sums of distances, by τ − start: between the parts, and within either.
  const between = new Float64Array(size);
  const withinRight = new Float64Array(size);
  const withinLeft = new Float64Array(size);
  // From the value added at κ to the values left of τ.
  const toLeft = new Float64Array(size);
  // 1/k, and 0 for k = 0: a part of one value has no distances within. Divisions would be most of the work.
  const inverse = Float64Array.from({ length: size + 1 }, (_, k) => (k === 0 ? 0 : 1 / k));
  let index = start + 1;
  let distance = -Infinity;
  let allPairs = 0;
  for (let last = 1; last < size; last++) {
    const added = values[start + last]!;
    let total = 0;
    for (let left = 1; left <= last; left++) {
      total += Math.abs(values[start + left - 1]! - added);
      toLeft[left] = total;
    }
    withinLeft[last] = allPairs;
    allPairs += total;
    const scale = 2 * inverse[last + 1]!;
    for (let left = 1; left <= last; left++) {
      const right = last + 1 - left;
      const cross = (between[left]! += toLeft[left]!);
      const inRight = (withinRight[left]! += total - toLeft[left]!);
      const score =
        scale *
        (cross - right * inverse[left - 1]! * withinLeft[left]! - left * inverse[right - 1]! * inRight);
      if (score > distance) {
        distance = score;
        index = start + left;
      }
    }
  }
  return { index, distance };
}
