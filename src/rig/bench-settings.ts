import { randomBytes } from 'node:crypto';

import type { Config } from '../config/schema.ts';
import type { StoppingRuleName } from '../measure/stopping-rules.ts';
import { PawlError } from '../model/pawl-error.ts';
import type { Mode } from '../model/problem/mode.ts';

/** What a caller may set instead of pawl.yaml's `measure`. */
export interface BenchOverrides {
  readonly modes?: readonly Mode[];
  readonly processes?: number;
  readonly samples?: number;
  readonly warmup?: number;
  readonly stopping?: StoppingRuleName;
  /** No answer from the kernel for this long: it hangs. */
  readonly timeout_s?: number;
  /** `plain` leaves the blocking kernel out, for comparison with other tools. */
  readonly timing?: 'blocked' | 'plain';
  /** Decimal digits; the same seed gives the same order and the same inputs. */
  readonly seed?: string;
}

export interface BenchSettings {
  readonly modes: readonly Mode[];
  readonly processes: number;
  readonly samples: number;
  readonly warmup: number;
  readonly stopping: StoppingRuleName;
  readonly timeout_ms: number;
  readonly budget_ms: number;
  readonly timing: 'blocked' | 'plain';
  readonly seed: string;
}

/** One series may not take longer than this many time-outs, whatever its stopping rule wishes. */
const SERIES_BUDGET_TIMEOUTS = 2;

export function benchSettings(measure: Config['measure'], overrides: BenchOverrides): BenchSettings {
  const timeout_ms = (overrides.timeout_s ?? measure.timeout_s) * 1000;
  return {
    modes: overrides.modes ?? [measure.mode],
    processes: overrides.processes ?? measure.processes,
    samples: overrides.samples ?? measure.samples,
    warmup: overrides.warmup ?? measure.warmup,
    stopping: overrides.stopping ?? measure.stopping,
    timeout_ms,
    budget_ms: SERIES_BUDGET_TIMEOUTS * timeout_ms,
    timing: overrides.timing ?? 'blocked',
    seed: overrides.seed === undefined ? secretSeed() : checkedSeed(overrides.seed),
  };
}

/** A kernel must not be able to guess its inputs: each run draws them again, and writes its seed down. */
export function secretSeed(): string {
  return randomBytes(8).readBigUInt64LE().toString();
}

export function checkedSeed(text: string): string {
  if (/^\d{1,20}$/.test(text) && BigInt(text) < 2n ** 64n) return text;
  throw new PawlError(
    'usage',
    `The seed "${text}" is not an unsigned 64-bit number.`,
    'Give decimal digits, or no seed.',
  );
}
