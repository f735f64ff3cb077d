import type { Series } from '../model/measure/samples.ts';
import { sorted } from '../stats/order.ts';
import { quantileOfSorted } from '../stats/quantile.ts';

/** What one process says: logarithms of locations of its samples, so that differences are ratios. */
export interface ProcessSummary {
  readonly time: Locations;
  /** The same of time × clock; absent where a sample's clock is not known. */
  readonly cycles: Locations | undefined;
}

export interface Locations {
  /** Mean of the fastest tenth; absent for fewer than ten samples. */
  readonly fastest: number | undefined;
  readonly median: number;
  /** 95 % quantile; absent for fewer than twenty samples, which do not reach it. */
  readonly tail: number | undefined;
}

/**
 * What disturbs a timing makes it longer (Chen & Revels, "Robust benchmarking in noisy environments", 2016), so the
 * fast end of the samples is the nearest to what the kernel itself takes and differs the least between processes.
 * A tenth rather than the minimum: one lucky sample must not stand for a process.
 */
const FASTEST_SHARE = 0.1;
const FASTEST_NEEDS = 1 / FASTEST_SHARE;
const TAIL = 0.95;
const TAIL_NEEDS = 20;

export function locations(samples: ArrayLike<number>): Locations {
  const ascending = sorted(samples);
  const count = ascending.length;
  return {
    fastest: count < FASTEST_NEEDS ? undefined : Math.log(meanOfFastest(ascending, FASTEST_SHARE * count)),
    median: Math.log(quantileOfSorted(ascending, 0.5)),
    tail: count < TAIL_NEEDS ? undefined : Math.log(quantileOfSorted(ascending, TAIL)),
  };
}

/** `amount` samples from the fast end; the last one counts in part, so that the level does not jump with n. */
function meanOfFastest(ascending: Float64Array, amount: number): number {
  const whole = Math.floor(amount);
  let sum = 0;
  for (let i = 0; i < whole; i++) sum += ascending[i]!;
  const part = amount - whole;
  if (part > 0) sum += part * ascending[whole]!;
  return sum / amount;
}

/** One summary a process: series that name the same process are one, for they share its luck. */
export function summarizeProcesses(series: readonly Series[]): ProcessSummary[] {
  const byProcess = new Map<number | Series, Series[]>();
  for (const one of series) {
    const process = one.process ?? one;
    const known = byProcess.get(process);
    if (known === undefined) byProcess.set(process, [one]);
    else known.push(one);
  }
  return [...byProcess.values()].map(summarizeProcess);
}

function summarizeProcess(series: readonly Series[]): ProcessSummary {
  const first = series[0]!;
  const samples = series.length === 1 ? first.samples_ms : series.flatMap(({ samples_ms }) => samples_ms);
  const cycles = series.map(cyclesOf);
  return {
    time: locations(samples),
    cycles: cycles.every((one) => one !== undefined) ? locations(cycles.flat()) : undefined,
  };
}

/** In thousands: milliseconds × megahertz. */
function cyclesOf({ samples_ms, clock_mhz }: Series): number[] | undefined {
  if (clock_mhz?.length !== samples_ms.length) return undefined;
  return samples_ms.map((time, index) => time * clock_mhz[index]!);
}
