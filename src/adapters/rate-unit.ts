/** A unit of throughput, and what it counts. */
export interface RateUnit {
  readonly name: string;
  /** `GB` of `GB/s`, `TFLOP` of `TFLOPS`. */
  readonly work: string;
}

/** The rate that a word means: `GB/s`, `GiB/s`, `TFLOPS`, `TFLOP/s`, `ops/s`; nothing for other words. */
export function rateUnit(word: string): RateUnit | undefined {
  const name = word.trim();
  const bytes = /^([KMGTP]?i?B)(?:\/s|ps)$/iu.exec(name)?.[1];
  const flops = /^([KMGTP]?)FLOP(?:S|\/s|s\/s)$/iu.exec(name)?.[1];
  if (bytes !== undefined) return { name, work: bytes };
  if (flops !== undefined) return { name, work: `${flops.toUpperCase()}FLOP` };
  return /^ops\/s$/iu.test(name) ? { name, work: 'operation' } : undefined;
}

/** The time that one unit of the work takes: of two rates of the same work the ratio is that of their times. */
export function timePerUnit_ms(rate_per_s: unknown): number | undefined {
  if (typeof rate_per_s !== 'number') return undefined;
  const time_ms = 1000 / rate_per_s;
  return time_ms > 0 && time_ms < Infinity ? time_ms : undefined;
}
