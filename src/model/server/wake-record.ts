/**
 * The journal of a wake server (`journal.jsonl` in its state folder): everything that happened, a line each. Its
 * state is what the records add up to. A snapshot stands for all the records before it.
 */
import { z } from 'zod';

import { HOST_PHASES } from './wake.ts';

const time = z.iso.datetime();

export const JOB_ACTIONS = ['queued', 'in_progress', 'completed'] as const;
export type JobAction = (typeof JOB_ACTIONS)[number];

const jobSchema = z.object({
  /** Number of the job and of its attempt. */
  key: z.string(),
  repository: z.string(),
  name: z.string(),
  labels: z.array(z.string()),
  /** Where it is expected to run; absent where another machine took it. */
  host: z.string().optional(),
  /** The last that was heard of it. */
  action: z.enum(JOB_ACTIONS),
  since: time,
  /** No longer waited for, although its end was never told. */
  expired: z.boolean(),
  /** Its host was woken once more, because it did not take the job. */
  nudged: z.boolean(),
});
export type WakeJob = z.infer<typeof jobSchema>;

const triesSchema = z.object({ failed: z.int().nonnegative(), next_at: time.optional() });

const hostStateSchema = z.object({
  phase: z.enum(HOST_PHASES),
  /** A command that was begun and has not ended. */
  running: z.enum(['wake', 'sleep']).optional(),
  by_pawl: z.boolean(),
  up_since: time.optional(),
  /** The end of the last try to wake it. */
  woken_at: time.optional(),
  /** Last news of any of its jobs, and of one that ran. */
  active_at: time.optional(),
  busy_at: time.optional(),
  wake: triesSchema,
  sleep: triesSchema,
  gave_up: z.boolean(),
  alarms: z.int().nonnegative(),
  last: z.object({ what: z.string(), ok: z.boolean(), at: time, detail: z.string() }).optional(),
});
export type HostState = z.infer<typeof hostStateSchema>;

export const wakeRecordSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('snapshot'),
    at: time,
    deliveries: z.array(z.tuple([z.string(), time])),
    jobs: z.array(jobSchema),
    hosts: z.array(z.tuple([z.string(), hostStateSchema])),
  }),
  /** The server started: whatever command was under way is of unknown outcome. */
  z.object({ type: z.literal('start'), at: time }),
  z.object({
    type: z.literal('job'),
    at: time,
    delivery: z.string(),
    job: jobSchema.pick({ key: true, repository: true, name: true, labels: true, host: true, action: true }),
    /** A runner of the host took the job: the host is up. */
    seen_up: z.boolean(),
  }),
  z.object({ type: z.literal('assign'), at: time, job: z.string(), host: z.string() }),
  z.object({ type: z.literal('nudge'), at: time, job: z.string() }),
  z.object({ type: z.literal('expire'), at: time, job: z.string(), why: z.string() }),
  z.object({ type: z.literal('begin'), at: time, host: z.string(), what: z.enum(['wake', 'sleep']) }),
  z.object({
    type: z.literal('end'),
    at: time,
    host: z.string(),
    what: z.enum(['wake', 'sleep']),
    ok: z.boolean(),
    detail: z.string(),
    /** Of a failure: when to try again, or that nothing is tried any more. */
    next_at: time.optional(),
    gave_up: z.boolean().optional(),
  }),
  z.object({ type: z.literal('status'), at: time, host: z.string(), up: z.boolean() }),
  z.object({ type: z.literal('alarm'), at: time, host: z.string() }),
]);
export type WakeRecord = z.infer<typeof wakeRecordSchema>;
