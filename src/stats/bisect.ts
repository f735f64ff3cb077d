/**
 * The smallest double in (low, high] at which a monotone condition holds, which it must do at `high`. Halving ends
 * at neighbouring doubles, so where the condition compares with sums or differences of data the answer is exactly
 * one of them.
 */
export function bisect(low: number, high: number, holds: (at: number) => boolean): number {
  let below = low;
  let reached = high;
  for (;;) {
    const middle = below + (reached - below) / 2;
    if (middle <= below || middle >= reached) return reached;
    if (holds(middle)) reached = middle;
    else below = middle;
  }
}
