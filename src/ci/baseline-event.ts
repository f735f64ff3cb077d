/** Which run may move the baseline: a push to the default branch of the repository itself, and nothing else. */
import { readFile } from 'node:fs/promises';

import { z } from 'zod';

import { PawlError } from '../model/pawl-error.ts';

const pushSchema = z.object({
  ref: z.string(),
  after: z.string().regex(/^[0-9a-f]{40,64}$/),
  deleted: z.boolean(),
  repository: z.object({
    full_name: z.string(),
    default_branch: z.string().min(1),
    fork: z.boolean(),
  }),
});

export interface BaselineEvent {
  /** `owner/name`. */
  readonly repository: string;
  readonly branch: string;
  /** What was pushed, and so what was measured. */
  readonly commit: string;
}

/**
 * Reads what GitHub says about this run, and refuses every other kind of run: what a pull request's code measured,
 * or wrote into the file, must never stand on the main branch without a person's review.
 */
export async function baselineEvent(
  env: NodeJS.ProcessEnv,
  options: { readonly allowFork?: boolean } = {},
): Promise<BaselineEvent> {
  const name = env['GITHUB_EVENT_NAME'];
  if (name !== 'push') throw refusal(`this run is for ${name === undefined ? 'no event' : `"${name}"`}`);
  const push = await readPush(env['GITHUB_EVENT_PATH']);
  const { full_name, default_branch, fork } = push.repository;
  const expected = `refs/heads/${default_branch}`;
  if (push.ref !== expected || env['GITHUB_REF'] !== expected) {
    throw refusal(`the push was to ${env['GITHUB_REF'] ?? push.ref}, not to ${expected}`);
  }
  if (push.deleted) throw refusal('the branch was deleted');
  if (env['GITHUB_REPOSITORY'] !== full_name) {
    throw refusal(`the event is from ${full_name}, the run from ${env['GITHUB_REPOSITORY'] ?? 'none'}`);
  }
  if (env['GITHUB_SHA'] !== push.after) throw refusal('the run is for another commit than the one pushed');
  if (fork && options.allowFork !== true) {
    throw refusal(`${full_name} is a fork`, 'A fork with its own baseline needs --allow-fork.');
  }
  return { repository: full_name, branch: default_branch, commit: push.after };
}

async function readPush(path: string | undefined): Promise<z.infer<typeof pushSchema>> {
  if (path === undefined || path === '') throw refusal('there is no $GITHUB_EVENT_PATH');
  let value: unknown;
  try {
    value = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw refusal(`the event cannot be read (${(error as Error).message})`);
  }
  const parsed = pushSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw refusal(`the event is not a push (${parsed.error.issues[0]?.path.join('.') ?? ''})`);
}

function refusal(
  why: string,
  hint = '`pawl init --github` writes the job for pushes that updates it.',
): PawlError {
  return new PawlError(
    'permission',
    `The baseline is updated only on a push to the default branch: ${why}.`,
    hint,
  );
}
