import { z } from 'zod';

import { PawlError } from '../../model/pawl-error.ts';
import type { GitHub } from './github.ts';

const idSchema = z.int().positive();
const shaSchema = z.string().regex(/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/u);
/** Never a path of its own: it becomes part of one. */
export const repositoryName = /^[\w-]+\/(?!\.{1,2}$)[\w.-]+$/u;
const repositorySchema = z.object({ id: idSchema, full_name: z.string().regex(repositoryName) });

const eventSchema = z.object({
  action: z.literal('completed'),
  workflow_run: z.object({ id: idSchema, head_sha: shaSchema }),
  repository: repositorySchema,
});

const runSchema = z.object({
  id: idSchema,
  path: z.string().max(1000),
  event: z.string().max(100),
  status: z.string().nullable(),
  conclusion: z.string().nullable(),
  head_sha: shaSchema,
  head_branch: z.string().min(1).max(1000).nullable(),
  run_attempt: idSchema.optional(),
  run_started_at: z.string().optional(),
  repository: repositorySchema,
  head_repository: repositorySchema
    .extend({ owner: z.object({ login: z.string().regex(/^[\w[\]-]+$/u) }) })
    .nullable(),
});

/** A run of the ratchet workflow on a pull request, as the code host knows it. */
export interface FinishedRun {
  readonly repo: string;
  readonly repository_id: number;
  readonly id: number;
  readonly attempt: number;
  /** Of this attempt. */
  readonly started_at: string | undefined;
  readonly conclusion: 'success' | 'failure';
  readonly head_sha: string;
  readonly head_branch: string;
  readonly head_owner: string;
  readonly head_repository_id: number;
  /** By repository, never by a branch's name: a fork may call its branch `main`. */
  readonly isFork: boolean;
}

export function refusal(why: string, hint?: string): PawlError {
  return new PawlError('bad-data', why, hint);
}

/**
 * The run that an event of `workflow_run` is about, held against what the API says of it. Other workflows can have
 * the ratchet workflow's name, which is what an event is triggered by; they cannot have its path.
 */
export async function readFinishedRun(
  github: GitHub,
  { repo, event, workflow }: { readonly repo: string; readonly event: unknown; readonly workflow: string },
): Promise<FinishedRun> {
  const told = eventSchema.safeParse(event).data;
  if (told === undefined) {
    throw refusal('the event is not a completed workflow run', 'Publish from on: workflow_run.');
  }
  if (told.repository.full_name !== repo) throw refusal('the event is from another repository');
  const { body } = await github.request('GET', `/repos/${repo}/actions/runs/${told.workflow_run.id}`);
  const run = runSchema.safeParse(body).data;
  if (run === undefined) throw refusal('the description of the run from GitHub is not what Pawl expects');
  if (run.id !== told.workflow_run.id || run.head_sha !== told.workflow_run.head_sha) {
    throw refusal('the event and the API describe different runs');
  }
  if (run.repository.id !== told.repository.id || run.repository.full_name !== repo) {
    throw refusal('the run is from another repository');
  }
  // `path@ref` where a workflow was called from elsewhere.
  if (run.path.split('@')[0] !== workflow) {
    throw refusal('the run is from another workflow', 'Set the ratchet workflow with --workflow PATH.');
  }
  if (run.event !== 'pull_request') throw refusal('the run was not on a pull request');
  const { conclusion } = run;
  if (run.status !== 'completed' || (conclusion !== 'success' && conclusion !== 'failure')) {
    throw refusal('the run did not finish, so there is no report to publish');
  }
  if (run.head_repository === null || run.head_branch === null) {
    throw refusal('the branch or the repository that was measured is gone');
  }
  return {
    repo,
    repository_id: run.repository.id,
    id: run.id,
    attempt: run.run_attempt ?? 1,
    started_at: run.run_started_at,
    conclusion,
    head_sha: run.head_sha,
    head_branch: run.head_branch,
    head_owner: run.head_repository.owner.login,
    head_repository_id: run.head_repository.id,
    isFork: run.head_repository.id !== run.repository.id,
  };
}
