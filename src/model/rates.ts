/** What a time means for the work that a case declares: the only place that computes it. Without a schema library. */

/** What a call does, as far as its case declares it, and the least time that the hardware needs for it. */
export interface Work {
  readonly operations?: number | undefined;
  readonly bytes?: number | undefined;
  readonly floor_ms?: number | undefined;
}

/** What is not declared has no figure. */
export interface Rates {
  readonly throughput_gflop_s?: number | undefined;
  readonly bandwidth_gb_s?: number | undefined;
  /** How many times the physical floor it takes. */
  readonly times_floor?: number | undefined;
}

export function ratesOf({ operations, bytes, floor_ms }: Work, time_ms: number): Rates {
  return {
    ...(operations === undefined ? {} : { throughput_gflop_s: billionsPerSecond(operations, time_ms) }),
    ...(bytes === undefined ? {} : { bandwidth_gb_s: billionsPerSecond(bytes, time_ms) }),
    ...(floor_ms === undefined ? {} : { times_floor: time_ms / floor_ms }),
  };
}

/** A thing a millisecond is a thousand a second, and a giga is 1e9. */
function billionsPerSecond(amount: number, time_ms: number): number {
  return (amount / time_ms) * 1e-6;
}
