/** Positive is faster. The only place that knows the sign. */
export function changePct(baseline: number, candidate: number): number {
  return (100 * (baseline - candidate)) / baseline;
}
