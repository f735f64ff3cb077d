/** `pawl.queue-prune/1`: what `pawl queue prune` removed, or would. */
import { z } from 'zod';

export const QUEUE_PRUNE_SCHEMA = 'pawl.queue-prune/1';

export const queuePrunedSchema = z.object({
  schema: z.literal(QUEUE_PRUNE_SCHEMA),
  /** True: nothing was changed. */
  dry_run: z.boolean(),
  /** Only what was finished before. Absent where no age was given. */
  finished_before: z.iso.datetime().optional(),
  /** Removed whole. */
  submissions: z.int().nonnegative(),
  judgements: z.int().nonnegative(),
  /** Submissions whose files were removed, those that went whole included. */
  sources: z.int().nonnegative(),
  sources_bytes: z.int().nonnegative(),
  /** Judgements without their build log and output now. */
  logs: z.int().nonnegative(),
  /** Submissions that stay without their sources, because one that stays has their judgement for its answer. */
  kept_for_others: z.int().nonnegative(),
});
export type QueuePruned = z.infer<typeof queuePrunedSchema>;

/** At least one of the first two; where both are given, what either of them keeps is kept. */
export interface PruneAsked {
  /** What was finished longer ago. */
  readonly older_than_s?: number;
  /** All but so many of each tenant, the newest. */
  readonly keep?: number;
  /** Only sources and logs go. */
  readonly keepVerdicts?: boolean;
  readonly isDry?: boolean;
}
