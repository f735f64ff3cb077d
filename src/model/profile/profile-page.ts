/**
 * What the one-pager of a profile shows: plain data, so that a file, a capture and a server can all have it drawn.
 * A number that was not collected is not there; it is never zero for that.
 */
import type { HotLines } from './hot-lines.ts';
import type { KernelDiagnosis, ProfileComparison } from './diagnosis.ts';

/** The units of a device whose load is shown, in percent of their peaks. */
export const PROFILED_UNITS = ['sm', 'memory', 'dram', 'l2', 'l1', 'tensor', 'special-function'] as const;
export type ProfiledUnit = (typeof PROFILED_UNITS)[number];

/** What can keep more blocks from an SM. */
export type OccupancyResource = 'registers' | 'shared memory' | 'warps' | 'blocks' | 'barriers';

/** Where the cycles between two instructions of a warp go. */
export interface StallBreakdown {
  /** By ncu's word for the reason (`long_scoreboard`); the largest first. `selected` is the cycle that issues. */
  readonly shares: readonly { readonly reason: string; readonly pct: number }[];
  /** False where only some reasons are known: what is missing in 100 is unknown, not nothing. */
  readonly isWhole: boolean;
}

export interface OccupancyFigures {
  readonly theoreticalPct?: number;
  readonly achievedPct?: number;
  /** How many blocks an SM could hold if this were the only limit. */
  readonly limits: readonly { readonly resource: OccupancyResource; readonly blocks: number }[];
  readonly registersPerThread?: number;
  readonly sharedBytesPerBlock?: number;
  readonly threadsPerBlock?: number;
}

/** Ceilings, and where a kernel is below them (docs/diagnose.md). */
export interface RooflineChart {
  /** What is counted: `FP16 tensor operations`, `warp instructions`. */
  readonly counted: string;
  /** One of them: FLOP, OP or inst. */
  readonly unit: string;
  /** Flat ceilings; the first is that of the points. */
  readonly roofs: readonly { readonly label: string; readonly perSecond: number }[];
  readonly memory: { readonly label: string; readonly bytesPerSecond: number };
  readonly points: readonly {
    readonly side: ProfileSideName;
    /** Of what is counted, for each byte. */
    readonly intensity: number;
    readonly perSecond: number;
  }[];
  /** Earlier measurements of the same case, oldest first: a trail of links, the fainter the older. */
  readonly history?: readonly {
    readonly intensity: number;
    readonly perSecond: number;
    readonly href: string;
    readonly label: string;
  }[];
  /** Where the ceilings come from. */
  readonly basis: string;
}

type ProfileSideName = 'before' | 'after';

/** One launch, as it is drawn. */
export interface ProfileSide {
  readonly diagnosis: KernelDiagnosis;
  readonly units: { readonly [unit in ProfiledUnit]?: number };
  readonly stalls?: StallBreakdown;
  readonly occupancy: OccupancyFigures;
}

export interface ProfilePage {
  /** The kernel as it is now. */
  readonly after: ProfileSide;
  readonly before?: ProfileSide;
  readonly comparison?: ProfileComparison;
  readonly roofline?: RooflineChart;
  /** Where the time goes by line, where samples were taken. */
  readonly lines?: HotLines;
  /** Device, clocks, versions, command, commit: what is needed to take the profile again. */
  readonly provenance: readonly { readonly name: string; readonly value: string }[];
  /** What in the files was not understood. */
  readonly problems: readonly string[];
}
