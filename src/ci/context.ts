/** What started this run, as GitHub's environment and event tell it; or nothing of the kind, elsewhere. */
import { readFile } from 'node:fs/promises';

import { z } from 'zod';

import { defined } from '../model/defined.ts';
import { PawlError } from '../model/pawl-error.ts';

export interface CiContext {
  readonly event: 'pull_request' | 'push' | 'workflow_dispatch' | 'other' | 'none';
  /** `owner/name`; absent outside of GitHub. */
  readonly repository?: string;
  /** The commit that a check run belongs to. Of a pull request its own head, not the trial merge. */
  readonly head_sha?: string;
  readonly pull_request?: number;
  /** What the change is to be merged into. */
  readonly base?: string;
  /** The code comes from another repository. */
  readonly is_fork: boolean;
  /** A push to or a dispatch on the branch that baselines are kept on. */
  readonly is_default_branch: boolean;
  readonly run_url?: string;
  /** Where files are shown: a commit and a path behind it are a page. */
  readonly files_url?: string;
  readonly api_url: string;
  readonly summary_file?: string;
  readonly output_file?: string;
}

const PUBLIC_API = 'https://api.github.com';

const sha = z.string().regex(/^[0-9a-f]{40,64}$/u, 'a commit');
const fullName = z.string().regex(/^(?!\.{1,2}\/)[\w.-]+\/(?!\.{1,2}$)[\w.-]+$/u, 'owner/name');
const webUrl = z.url({ protocol: /^https?$/u });

const environmentSchema = z.object({
  GITHUB_ACTIONS: z.literal('true'),
  GITHUB_EVENT_NAME: z.string().min(1),
  GITHUB_EVENT_PATH: z.string().min(1),
  GITHUB_REPOSITORY: fullName,
  GITHUB_SHA: sha,
  GITHUB_REF: z.string().optional(),
  GITHUB_RUN_ID: z.string().regex(/^\d+$/u).optional(),
  GITHUB_SERVER_URL: webUrl.optional(),
  GITHUB_API_URL: webUrl.optional(),
  GITHUB_STEP_SUMMARY: z.string().min(1).optional(),
  GITHUB_OUTPUT: z.string().min(1).optional(),
});
type GitHubEnvironment = z.infer<typeof environmentSchema>;

const repositorySchema = z.object({ id: z.int(), full_name: fullName });

const pullRequestEventSchema = z.object({
  pull_request: z.object({
    number: z.int().positive(),
    // A fork can be deleted while its pull request is open.
    head: z.object({ sha, repo: repositorySchema.nullable() }),
    base: z.object({ sha, repo: repositorySchema }),
  }),
});

/** Of a push and of a dispatch. */
const branchEventSchema = z.object({
  ref: z.string(),
  deleted: z.boolean().optional(),
  repository: z.object({ default_branch: z.string() }),
});

/** Outside of any code host that Pawl knows: flags say what there is to say. */
export const NO_CONTEXT: CiContext = {
  event: 'none',
  is_fork: false,
  is_default_branch: false,
  api_url: PUBLIC_API,
};

/** @throws {PawlError} of kind `bad-data` where the environment says GitHub and is not as GitHub makes it */
export async function readContext(env: NodeJS.ProcessEnv): Promise<CiContext> {
  if (env['GITHUB_ACTIONS'] !== 'true') return NO_CONTEXT;
  const variables = understood(environmentSchema, present(env), 'the environment');
  const common = commonOf(variables);
  switch (variables.GITHUB_EVENT_NAME) {
    case 'pull_request':
    case 'pull_request_target':
      return { ...common, ...(await pullRequestOf(variables)) };
    case 'push':
    case 'workflow_dispatch':
      return {
        ...common,
        event: variables.GITHUB_EVENT_NAME,
        is_default_branch: await isOnDefaultBranch(variables),
      };
    default:
      return { ...common, event: 'other' };
  }
}

function commonOf(variables: GitHubEnvironment): Omit<CiContext, 'event'> {
  const { GITHUB_RUN_ID: id, GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = variables;
  const { GITHUB_STEP_SUMMARY: summary_file, GITHUB_OUTPUT: output_file } = variables;
  return {
    repository,
    head_sha: variables.GITHUB_SHA,
    is_fork: false,
    is_default_branch: false,
    api_url: variables.GITHUB_API_URL ?? PUBLIC_API,
    ...(id === undefined || server === undefined
      ? {}
      : { run_url: `${server}/${repository}/actions/runs/${id}` }),
    ...(server === undefined ? {} : { files_url: `${server}/${repository}/blob` }),
    ...defined({ summary_file, output_file }),
  };
}

async function pullRequestOf(
  variables: GitHubEnvironment,
): Promise<Partial<CiContext> & Pick<CiContext, 'event'>> {
  const { pull_request } = understood(pullRequestEventSchema, await eventOf(variables), 'the event');
  const { number, head, base } = pull_request;
  return {
    event: 'pull_request',
    pull_request: number,
    head_sha: head.sha,
    base: base.sha,
    // By the repositories themselves: what people are to each other says nothing about where code comes from.
    is_fork: head.repo?.id !== base.repo.id,
  };
}

async function isOnDefaultBranch(variables: GitHubEnvironment): Promise<boolean> {
  const { ref, deleted, repository } = understood(branchEventSchema, await eventOf(variables), 'the event');
  return ref === `refs/heads/${repository.default_branch}` && deleted !== true;
}

async function eventOf({ GITHUB_EVENT_PATH: path }: GitHubEnvironment): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw new PawlError(
      'bad-data',
      `The event that GITHUB_EVENT_PATH names cannot be read: ${(error as Error).message}`,
      'Run without GitHub: pawl ci --event none',
    );
  }
}

/** A variable that is set to nothing is one that is not set. */
function present(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
}

function understood<Schema extends z.ZodType>(schema: Schema, value: unknown, what: string): z.infer<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new PawlError(
    'bad-data',
    `${what} is not valid: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`,
    'Run without GitHub: pawl ci --event none',
  );
}
