/** What a time means for the work that a case declares: the only place that computes it. Without a schema library. */
import { defined } from '../defined.ts';

/** What a call does, as far as its case declares it, and the least time that the hardware needs for it. */
export interface Work {
  readonly operations?: number | undefined;
  readonly bytes?: number | undefined;
  readonly floor_ms?: number | undefined;
  /** The least time at the ceilings that were measured on the device. */
  readonly ceiling_ms?: number | undefined;
}

/** What a measurement says of it. */
export interface WithWork {
  readonly operations?: number | undefined;
  readonly bytes?: number | undefined;
  readonly floor?: { readonly floor_ms: number } | undefined;
  readonly ceiling?: { readonly ceiling_ms: number } | undefined;
}

export function workOf({ operations, bytes, floor, ceiling }: WithWork): Work {
  return defined({ operations, bytes, floor_ms: floor?.floor_ms, ceiling_ms: ceiling?.ceiling_ms });
}

/** What is not declared has no figure. */
export interface Rates {
  readonly throughput_gflop_s?: number | undefined;
  readonly bandwidth_gb_s?: number | undefined;
  /** How many times the physical floor it takes. */
  readonly times_floor?: number | undefined;
  /** The share of what the device was measured to do at best; 100 is at the ceiling. */
  readonly of_ceiling_pct?: number | undefined;
}

export function ratesOf({ operations, bytes, floor_ms, ceiling_ms }: Work, time_ms: number): Rates {
  return {
    ...(operations === undefined ? {} : { throughput_gflop_s: billionsPerSecond(operations, time_ms) }),
    ...(bytes === undefined ? {} : { bandwidth_gb_s: billionsPerSecond(bytes, time_ms) }),
    ...(floor_ms === undefined ? {} : { times_floor: time_ms / floor_ms }),
    ...(ceiling_ms === undefined ? {} : { of_ceiling_pct: (100 * ceiling_ms) / time_ms }),
  };
}

/** A thing a millisecond is a thousand a second, and a giga is 1e9. */
function billionsPerSecond(amount: number, time_ms: number): number {
  return (amount / time_ms) * 1e-6;
}
