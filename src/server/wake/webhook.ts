import { z } from 'zod';

import { PawlError } from '../../model/pawl-error.ts';

/** What is read of a `workflow_job` delivery. */
const webhookSchema = z.object({
  action: z.string(),
  workflow_job: z.object({
    id: z.int().positive(),
    // Older servers do not tell it.
    run_attempt: z.int().positive().default(1),
    name: z.string().default(''),
    labels: z.array(z.string().max(1000)).max(1000),
    created_at: z.string().nullish(),
    runner_name: z.string().nullish(),
  }),
  repository: z.object({ full_name: z.string().min(1).max(300) }),
});

export interface JobNews {
  readonly action: string;
  /** Number of the job and of its attempt. */
  readonly key: string;
  readonly repository: string;
  readonly name: string;
  readonly labels: readonly string[];
  readonly created_at: Date | undefined;
  readonly runner: string | undefined;
}

const NAME_LENGTH = 200;

/** @throws {PawlError} of kind `bad-data` where a body is not such a delivery */
export function readWebhook(body: Uint8Array): JobNews {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new PawlError('bad-data', 'The body is not JSON.');
  }
  const parsed = webhookSchema.safeParse(value);
  if (!parsed.success) throw new PawlError('bad-data', 'The body is not a workflow_job delivery.');
  const { action, workflow_job: job, repository } = parsed.data;
  const created = new Date(job.created_at ?? Number.NaN);
  return {
    action,
    key: `${job.id}/${job.run_attempt}`,
    repository: repository.full_name,
    name: job.name.slice(0, NAME_LENGTH),
    labels: job.labels,
    created_at: Number.isNaN(created.getTime()) ? undefined : created,
    runner: job.runner_name || undefined,
  };
}
