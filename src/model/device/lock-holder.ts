import { z } from 'zod';

/** The process that has what another one waits for: a device, a session, a file that is rewritten. */
export const lockHolderSchema = z.object({
  pid: z.int().positive(),
  /** What it does: `pawl bench of attention-cpu`. */
  purpose: z.string(),
  since: z.iso.datetime(),
});
export type LockHolder = z.infer<typeof lockHolderSchema>;

/** Waiting for a device. */
export const deviceWaitSchema = z.object({
  /** As it is locked: `GPU-…` (the card's UUID) or `cpu:<hostname>`. */
  device: z.string(),
  /** Absent: it does not answer (stopped, or not Pawl). */
  holder: lockHolderSchema.optional(),
});
export type DeviceWait = z.infer<typeof deviceWaitSchema>;
