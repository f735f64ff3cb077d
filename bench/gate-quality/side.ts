import type { ProcessSummary } from '../../src/judge/process-summary.ts';
import { locations } from '../../src/judge/process-summary.ts';
import type { MedianInterval } from '../../src/stats/bootstrap-median.ts';
import { bootstrapMedian } from '../../src/stats/bootstrap-median.ts';
import { mean } from '../../src/stats/summary.ts';

/** One process's series with everything a rule may want of it, computed once. */
export interface ProcessSeries {
  readonly ascending: Float64Array;
  readonly summary: ProcessSummary;
  readonly interval: MedianInterval;
  readonly mean: number;
}

export function processSeries(samples: readonly number[]): ProcessSeries {
  return {
    ascending: Float64Array.from(samples).sort(),
    summary: { time: locations(samples), cycles: undefined },
    interval: bootstrapMedian(samples),
    mean: mean(samples),
  };
}

/** What one side of a comparison has measured. */
export class Side {
  readonly processes: readonly ProcessSeries[];
  #pooled: Float64Array | undefined;
  #pooledInterval: MedianInterval | undefined;

  constructor(processes: readonly ProcessSeries[]) {
    this.processes = processes;
  }

  get medians(): number[] {
    return this.processes.map(({ interval }) => interval.median);
  }

  /** All samples in one bag, ascending: what rules use that know no processes. */
  get pooled(): Float64Array {
    if (this.#pooled === undefined) {
      const length = this.processes.reduce((sum, { ascending }) => sum + ascending.length, 0);
      const all = new Float64Array(length);
      let filled = 0;
      for (const { ascending } of this.processes) {
        all.set(ascending, filled);
        filled += ascending.length;
      }
      this.#pooled = all.sort();
    }
    return this.#pooled;
  }

  get pooledInterval(): MedianInterval {
    this.#pooledInterval ??= bootstrapMedian(this.pooled);
    return this.#pooledInterval;
  }
}
