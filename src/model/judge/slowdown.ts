/** How much slower a case was measured to be; positive is faster. */
export interface MeasuredSlowdown {
  readonly change_pct: number;
  readonly ci_pct: readonly [number, number];
}

/** What a waiver of a measured slowdown has to cover: the far end of its interval, rounded up to a tenth. */
export function slowdownToWaive({ change_pct, ci_pct }: MeasuredSlowdown): number {
  return Math.ceil(-10 * Math.min(change_pct, ci_pct[0])) / 10;
}
