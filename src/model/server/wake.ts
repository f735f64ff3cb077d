/** `wake.yaml`, and what a wake server says about itself. `docs/wake.md` explains the words. */
import { z } from 'zod';

const secretSchema = z.union([
  z.strictObject({ env: z.string().min(1).describe('Name of the environment variable with the secret.') }),
  z.strictObject({ file: z.string().min(1).describe('A file that contains only the secret.') }),
]);
export type SecretSource = z.output<typeof secretSchema>;

const commandSchema = z
  .array(z.string())
  .min(1)
  .refine(([program]) => program !== '', { error: 'needs a program' })
  .describe('A program and its arguments; run without a shell.');

const repositorySchema = z
  .string()
  .regex(/^[\w.-]+\/(?:[\w.-]+|\*)$/, { error: '`owner/name` or `owner/*`' })
  .describe('`owner/name`, or `owner/*` for all of an owner.');

const minutes = (fallback: number) => z.number().nonnegative().max(10_080).default(fallback);

const wakeHostSchema = z.strictObject({
  labels: z
    .array(z.string().min(1).max(256))
    .min(1)
    .describe("All labels of the host's runners. A job that requires only some of them may run there."),
  repositories: z
    .array(repositorySchema)
    .min(1)
    .optional()
    .describe('Only jobs of these repositories; default: all.'),
  runners: z
    .array(z.string().min(1))
    .min(1)
    .optional()
    .describe("Names of the host's runners, `*` for any text: tells its jobs from those of other runners."),
  capacity: z.int().min(1).max(1000).default(1).describe('How many jobs run there at the same time.'),
  wake: commandSchema,
  sleep: commandSchema.optional(),
  status: commandSchema
    .optional()
    .describe('Exits with 0 if the host is up, with 1 if it is not; anything else means unknown.'),
  idle_minutes: minutes(10).describe('The host is put to sleep after this long without jobs.'),
  grace_minutes: minutes(5).describe('The host stays awake for at least this long after it was woken.'),
  pickup_minutes: minutes(15).describe(
    'If an awake host with a free place leaves a job waiting for this long, it is woken once more, then given up.',
  ),
  up_minutes: minutes(10).describe('How long the host may take to be up after the wake command.'),
  status_minutes: minutes(5).describe('How often its status is checked.'),
  job_timeout_hours: z
    .number()
    .positive()
    .max(120)
    .default(6)
    .describe('A job that runs longer no longer keeps the host awake.'),
  max_awake_hours: z
    .number()
    .positive()
    .max(720)
    .default(12)
    .describe('Raise an alarm if the host is awake for longer.'),
  command_timeout_s: z.number().positive().max(3600).default(300).describe('Time limit per command.'),
  attempts: z.int().min(1).max(100).default(6).describe('Give up after this many failed wakes in a row.'),
  retry_s: z
    .number()
    .positive()
    .max(3600)
    .default(15)
    .describe('Wait before the second try; doubles each time.'),
});
export type WakeHost = z.output<typeof wakeHostSchema>;

export const wakeConfigSchema = z.strictObject({
  version: z.literal(1).describe('Version of this format.'),
  listen: z
    .strictObject({
      host: z.string().min(1).default('127.0.0.1'),
      port: z.int().min(0).max(65_535).default(8787),
      path: z
        .string()
        .regex(/^\/[\w./-]*$/, { error: 'a path such as /webhook' })
        .default('/webhook'),
    })
    .prefault({}),
  secret: secretSchema.describe("The webhook's secret."),
  status_token: secretSchema.optional().describe('Token for /status from other machines.'),
  state: z.string().min(1).default('wake-state').describe('Folder of the journal, beside wake.yaml.'),
  repositories: z.array(repositorySchema).min(1).describe('Repositories whose jobs may wake hosts.'),
  alarm: commandSchema.optional().describe('Runs when a host is awake for too long, or cannot be woken.'),
  hosts: z
    .record(z.string().regex(/^[A-Za-z][\w.-]{0,62}$/, { error: 'a name such as gpu-1' }), wakeHostSchema)
    .refine((hosts) => Object.keys(hosts).length > 0, { error: 'needs at least one host' }),
});
export type WakeConfig = z.output<typeof wakeConfigSchema>;

/** `uncertain`: a command failed or was cut off, or nothing is known yet. */
export const HOST_PHASES = ['asleep', 'waking', 'awake', 'falling-asleep', 'uncertain'] as const;

/** One thing that happened: a line of the log. */
export interface WakeEvent {
  readonly at: string;
  readonly level: 'info' | 'warning' | 'error';
  readonly event: string;
  readonly host?: string;
  readonly job?: string;
  readonly message: string;
}

export const WAKE_SCHEMA = 'pawl.wake/1';

const waitingJobSchema = z.object({
  job: z.string(),
  repository: z.string(),
  name: z.string(),
  state: z.enum(['queued', 'running']),
  since: z.iso.datetime(),
});

export const wakeStatusSchema = z.object({
  schema: z.literal(WAKE_SCHEMA),
  at: z.iso.datetime(),
  dry_run: z.boolean(),
  hosts: z.array(
    z.object({
      name: z.string(),
      phase: z.enum(HOST_PHASES),
      /** Whether Pawl woke it: it puts nothing else to sleep. */
      woken_by_pawl: z.boolean(),
      up_since: z.iso.datetime().optional(),
      /** When it will be put to sleep, if nothing comes. */
      sleeps_at: z.iso.datetime().optional(),
      /** Waking failed as often as it may; a new job starts afresh. */
      gave_up: z.boolean(),
      next_try_at: z.iso.datetime().optional(),
      alarms: z.int().nonnegative(),
      last_command: z
        .object({ what: z.string(), ok: z.boolean(), at: z.iso.datetime(), detail: z.string() })
        .optional(),
      jobs: z.array(waitingJobSchema),
    }),
  ),
});
export type WakeStatus = z.infer<typeof wakeStatusSchema>;
