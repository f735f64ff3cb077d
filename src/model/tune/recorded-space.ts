import { z } from 'zod';

import type { TunableValue } from '../problem/variant.ts';

const RECORDED_SPACE_SCHEMA = 'pawl.space/1';

/**
 * A row: for each tunable, in the order of `tunables`, the index of its value; the time, or null; how it ended (`ok`,
 * `build_failed`, `run_failed`); and what building and measuring took. A row may stop early: without a status, the
 * time says whether it ran.
 */
const rowSchema = z.tuple([
  z.array(z.int().nonnegative()),
  z.number().nullable(),
  z.string().nullish(),
  z.number().nullish(),
  z.number().nullish(),
]);

/**
 * `pawl.space/1`: every feasible variant of a kernel with its measured time. What is not listed breaks a constraint.
 * Readers ignore keys they do not know.
 */
export const recordedSpaceSchema = z.object({
  schema: z.literal(RECORDED_SPACE_SCHEMA),
  name: z.string().optional(),
  device: z.string().optional(),
  kernel: z.string().optional(),
  /** Values other than numbers, texts and booleans are told apart by their JSON text. */
  tunables: z.record(z.string(), z.array(z.json()).min(1)),
  constraints: z.array(z.string()).optional(),
  configs: z.array(rowSchema).min(1),
});

/** A recorded space in memory, whatever file it came from. */
export interface RecordedSpace {
  readonly name: string;
  readonly tunables: readonly { readonly name: string; readonly values: readonly TunableValue[] }[];
  /** As written, where the file has them; not every one need be a formula that Pawl reads. */
  readonly constraints: readonly string[];
  readonly rows: readonly RecordedRow[];
}

export interface RecordedRow {
  /** For each tunable, which of its values. */
  readonly indices: readonly number[];
  /** Undefined for a variant that failed. */
  readonly time_ms: number | undefined;
  readonly status: string;
}
