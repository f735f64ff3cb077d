/**
 * A profile as Nsight Compute took it, in one vocabulary: raw metric names and one unit a dimension, whichever page
 * and version of ncu the file came from (docs/diagnose.md).
 */

/**
 * One number and its unit, in the base units of `ncu --print-units base`: `ns` for times, `byte`, `hz`, `%`, counts
 * by what is counted (`inst`, `sector`, `warp`), rates as `X/s` and `X/cycle`, and '' for plain numbers. Never a
 * guess: what was not understood is not here.
 */
export interface Metric {
  readonly value: number;
  readonly unit: string;
}

/** What one of ncu's own rules said, as it printed it. */
export interface NcuRule {
  /** The section's identifier (`WarpStateStats`). */
  readonly section: string;
  readonly rule: string;
  /** `OPT`, `INF`, `WRN`; in older files `Warning` and the like. */
  readonly type: string;
  readonly description: string;
  readonly speedupPct: number | undefined;
}

/** One profiled launch of a kernel. */
export interface LaunchProfile {
  /** The kernel function as ncu names it. */
  readonly name: string;
  readonly id: string | undefined;
  readonly grid: readonly [number, number, number] | undefined;
  readonly block: readonly [number, number, number] | undefined;
  readonly device: string | undefined;
  /** `9.0` */
  readonly computeCapability: string | undefined;
  /**
   * By raw metric name (`sm__throughput.avg.pct_of_peak_sustained_elapsed`); a number of the details page whose raw
   * name is not certain stands under "section / name". A metric that is not here was not collected or not readable:
   * it is never zero for that.
   */
  readonly metrics: ReadonlyMap<string, Metric>;
  /** Metrics whose value is a word, under the same keys. */
  readonly texts: ReadonlyMap<string, string>;
  /** From the details page; empty also where ncu was asked for single metrics, which is not "no issues". */
  readonly ncuRules: readonly NcuRule[];
}

export interface Profile {
  readonly source: 'raw' | 'details';
  readonly launches: readonly LaunchProfile[];
  /** What was not understood, with its line. */
  readonly problems: readonly string[];
}
