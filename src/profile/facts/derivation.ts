/** How a fact comes out of metrics. */
import type { LaunchProfile } from '../../model/profile/profile.ts';
import type { Signal } from './metric-names.ts';
import type { Problem } from './problem.ts';

/** Shares of a warp's time in which it waits for one thing. */
export type StallFact =
  | 'long_scoreboard_pct'
  | 'short_scoreboard_pct'
  | 'barrier_pct'
  | 'wait_pct'
  | 'math_throttle_pct'
  | 'mio_throttle_pct'
  | 'lg_throttle_pct'
  | 'tex_throttle_pct'
  | 'throttle_pct'
  | 'drain_pct'
  | 'membar_pct'
  | 'no_instruction_pct'
  | 'gmma_pct';

/** The facts that take more than one metric. */
export type DerivedFact =
  | StallFact
  | 'sm_idle_pct'
  | 'sm_imbalance_pct'
  | 'resident_blocks'
  | 'conflict_wavefronts'
  | 'conflict_pct'
  | 'l1_wavefronts'
  | 'excess_global_sectors'
  | 'all_global_sectors'
  | 'excess_sector_pct'
  | 'sectors_per_load'
  | 'sectors_per_store'
  | 'local_sectors'
  | 'array_sectors'
  | 'local_requests'
  | 'dram_bytes'
  | 'compute_pct'
  | 'issue_load_pct'
  | 'special_function_pct'
  | 'matrix_pct'
  | 'fp32_flops_per_cycle'
  | 'flops_per_dram_byte'
  | 'fused_fp32_pct'
  | 'loads_per_fma'
  | 'fp64_ops_per_cycle'
  | 'fusable_pct'
  | 'global_atomics';

export type FactName = Signal | DerivedFact;

export interface FactReader {
  readonly launch: LaunchProfile;
  readonly problem: Problem;
  /** The fact, or undefined where its metrics were not collected. */
  have(name: FactName): number | undefined;
}

export interface Derivation {
  readonly reads: readonly FactName[];
  readonly derive: (facts: FactReader) => number | undefined;
}

/** What one family of facts defines. */
export type Derivations<Name extends DerivedFact> = Readonly<Record<Name, Derivation>>;

export const SECTOR_BYTES = 32;
export const WARP_THREADS = 32;

export const percent = (part: number | undefined, whole: number | undefined): number | undefined => {
  if (part === undefined || whole === undefined) return undefined;
  return whole > 0 ? (100 * part) / whole : 0;
};

/** Unknown as soon as one of the values is. */
export function sum(...values: readonly (number | undefined)[]): number | undefined {
  let total = 0;
  for (const value of values) {
    if (value === undefined) return undefined;
    total += value;
  }
  return total;
}

/** The highest of those that are known. */
export function highest(...values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length > 0 ? Math.max(...known) : undefined;
}
