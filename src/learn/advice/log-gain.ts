/** All of the time has no logarithm. Rules promise less than this; only a comparison can come near. */
const MOST_PCT = 99;

/** A share of the time that is saved, in percent, as a difference of log times: gains of fixes add up in it. */
export function logGain(saved_pct: number): number {
  return -Math.log1p(-Math.min(saved_pct, MOST_PCT) / 100);
}

export function savedPct(gain: number): number {
  return -100 * Math.expm1(-gain);
}
