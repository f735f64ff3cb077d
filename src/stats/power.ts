import { noncentralTCdf } from './noncentral-t.ts';
import { normalQuantile } from './normal.ts';
import { studentTQuantile } from './student-t.ts';

export interface PowerOptions {
  /** Standard deviation within a side, and the difference to be found, in one unit. */
  readonly standardDeviation: number;
  readonly difference: number;
  /** Error rate of the test, in all. */
  readonly alpha?: number;
  readonly sides?: 1 | 2;
}

/** The chance that a two-sample t test with n values per side finds the difference (Cohen, "Statistical Power Analysis", 1988, chapter 2). */
export function tTestPower(n: number, options: PowerOptions): number {
  const { standardDeviation, difference, alpha, sides } = checked(options);
  if (!(n >= 2)) throw new RangeError(`a t test needs at least two values per side, not ${n}`);
  const df = 2 * (n - 1);
  const effect = (difference / standardDeviation) * Math.sqrt(n / 2);
  const critical = studentTQuantile(1 - alpha / sides, df);
  const found = noncentralTCdf(-critical, df, -effect);
  return sides === 1 ? found : found + noncentralTCdf(-critical, df, effect);
}

export interface ProcessesOptions {
  /** Standard deviation of the logarithms of process levels: 0.02 is about 2 % between processes. */
  readonly logStandardDeviation: number;
  /** The relative change to be found: 0.03 is 3 %. */
  readonly change: number;
  readonly alpha?: number;
  readonly sides?: 1 | 2;
  /** The chance of finding it. */
  readonly power?: number;
}

/**
 * How many processes per side find a relative change of the level with the given chance: the smallest n whose t test
 * on logarithms has the power, from the normal approximation upwards (Lehr and Cohen's n = 2·(z_α + z_β)²σ²/δ² is
 * always a little short). At least 2.
 */
export function processesNeeded(options: ProcessesOptions): number {
  const { logStandardDeviation, change, alpha = 0.05, sides = 2, power = 0.9 } = options;
  if (!(power > 0 && power < 1)) throw new RangeError(`power lies between 0 and 1, not at ${power}`);
  if (!(change > -1 && change !== 0))
    throw new RangeError(`a change is above −1 and not 0, unlike ${change}`);
  const test = checked({
    standardDeviation: logStandardDeviation,
    difference: Math.abs(Math.log1p(change)),
    alpha,
    sides,
  });
  const z = Math.max(0, normalQuantile(1 - alpha / sides) + normalQuantile(power));
  const start = Math.floor(2 * ((z * test.standardDeviation) / test.difference) ** 2);
  if (!Number.isSafeInteger(start)) throw new RangeError('no number of processes finds a change this small');
  // The t correction is about z²/4: beyond a million the approximation is right to one in a million.
  let n = Math.max(2, start);
  if (n > 1e6) return n + Math.ceil(normalQuantile(1 - alpha / sides) ** 2 / 4);
  while (n > 2 && tTestPower(n - 1, test) >= power) n--;
  while (tTestPower(n, test) < power) n++;
  return n;
}

function checked(options: PowerOptions): Required<PowerOptions> {
  const all = { alpha: 0.05, sides: 2 as const, ...options };
  if (!(all.standardDeviation > 0 && all.standardDeviation < Infinity)) {
    throw new RangeError(`a standard deviation is positive, not ${all.standardDeviation}`);
  }
  if (!(Math.abs(all.difference) > 0 && Math.abs(all.difference) < Infinity)) {
    throw new RangeError(`a difference to be found is not ${all.difference}`);
  }
  if (!(all.alpha > 0 && all.alpha < 1))
    throw new RangeError(`alpha lies between 0 and 1, not at ${all.alpha}`);
  return { ...all, difference: Math.abs(all.difference) };
}
