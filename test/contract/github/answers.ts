/** GitHub's objects, made of the description's own examples with the stand-in's facts put in. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type {
  Artifact,
  CheckRun,
  Comment,
  GitHubState,
  Pull,
  Repository,
  User,
  WorkflowRun,
} from './state.ts';

export const SLICE = join(import.meta.dirname, '../../fixtures/github/openapi-slice.json');

interface Slice {
  readonly components: { readonly examples: Readonly<Record<string, { readonly value: unknown }>> };
}
const EXAMPLES = (JSON.parse(readFileSync(SLICE, 'utf8')) as Slice).components.examples;

type Json = Record<string, unknown>;

function example(name: string): Json {
  const value: unknown = structuredClone(EXAMPLES[name]?.value);
  const one: unknown = Array.isArray(value) ? value[0] : value;
  if (typeof one !== 'object' || one === null) throw new Error(`the description has no example ${name}`);
  return { ...one };
}

/** Numbers that stay the same for a name, as GitHub's do. */
function idOf(text: string): number {
  let id = 7;
  for (const character of text) id = (id * 31 + character.codePointAt(0)!) % 1_000_000_007;
  return id + 1;
}

function userAnswer({ login, type }: User): Json {
  const { user } = example('issue-comment') as { user: Json };
  return { ...user, login, type, id: idOf(login) };
}

function repositoryAnswer({ id, full_name, fork = false }: Repository): Json {
  const { head } = example('pull-request') as { head: { repo: Json } };
  const [owner = '', name = ''] = full_name.split('/');
  return {
    ...head.repo,
    id,
    name,
    full_name,
    fork,
    owner: userAnswer({ login: owner, type: 'User' }),
    html_url: `https://github.com/${full_name}`,
  };
}

export function fullRepositoryAnswer({ repository }: GitHubState): Json {
  const { id, full_name, default_branch } = repository;
  const [owner = '', name = ''] = full_name.split('/');
  // Where the examples do not fit their own schema, they are mended: `language`, the fork's parents, teams.
  const { source: _, parent: __, ...whole } = example('full-repository-default-response');
  return {
    ...whole,
    language: null,
    id,
    name,
    full_name,
    default_branch,
    owner: userAnswer({ login: owner, type: 'User' }),
  };
}

export function commentAnswer({ id, user, body, created_at, issue }: Comment, state: GitHubState): Json {
  return {
    ...example('issue-comment'),
    id,
    body,
    user: userAnswer(user),
    created_at,
    updated_at: created_at,
    html_url: `https://github.com/${state.repository.full_name}/pull/${issue}#issuecomment-${id}`,
  };
}

export function checkRunAnswer(run: CheckRun, state: GitHubState): Json {
  const { output: shape, app, ...whole } = example('check-run') as { output: Json; app: Json };
  const { id, name, head_sha, status, conclusion, details_url, external_id, output, slug } = run;
  return {
    ...whole,
    id,
    name,
    head_sha,
    status,
    conclusion,
    details_url,
    external_id,
    html_url: `https://github.com/${state.repository.full_name}/runs/${id}`,
    app: { ...app, slug, id: idOf(slug) },
    output: { ...shape, ...output },
  };
}

export function pullAnswer(pull: Pull, state: GitHubState, kind: 'full' | 'simple'): Json {
  const whole = example(kind === 'full' ? 'pull-request' : 'pull-request-simple-items') as {
    head: Json;
    base: Json;
  };
  const { number, title, body, draft } = pull;
  const headOwner = pull.head.repo?.full_name.split('/')[0] ?? 'ghost';
  return {
    ...whole,
    id: 1000 + number,
    number,
    title,
    body,
    draft,
    requested_teams: [],
    state: pull.state,
    user: userAnswer(pull.user),
    html_url: `https://github.com/${state.repository.full_name}/pull/${number}`,
    head: {
      ...whole.head,
      ref: pull.head.ref,
      sha: pull.head.sha,
      label: `${headOwner}:${pull.head.ref}`,
      repo: pull.head.repo === null ? null : repositoryAnswer(pull.head.repo),
    },
    base: {
      ...whole.base,
      ref: pull.base.ref,
      sha: pull.base.sha,
      repo: repositoryAnswer(state.repository),
    },
  };
}

export function runAnswer(run: WorkflowRun, state: GitHubState): Json {
  const whole = example('workflow-run') as { repository: Json; head_repository: Json };
  const minimal = ({ id, full_name, fork = false }: Repository, shape: Json): Json => {
    const [owner = '', name = ''] = full_name.split('/');
    return { ...shape, id, full_name, fork, name, owner: userAnswer({ login: owner, type: 'User' }) };
  };
  const repository = run.repository ?? state.repository;
  const { id, path, event, status, conclusion, head_sha, head_branch, run_attempt = 1 } = run;
  return {
    ...whole,
    id,
    path,
    event,
    status,
    conclusion,
    head_sha,
    head_branch,
    run_attempt,
    ...(run.run_started_at === undefined ? {} : { run_started_at: run.run_started_at }),
    // As GitHub has it: empty for a fork's, filled for the repository's own.
    pull_requests: [],
    html_url: `https://github.com/${repository.full_name}/actions/runs/${id}`,
    repository: minimal(repository, whole.repository),
    head_repository: minimal(run.head_repository, whole.head_repository),
  };
}

export function artifactAnswer(artifact: Artifact, state: GitHubState): Json {
  const { artifacts } = example('artifact-paginated') as { artifacts: Json[] };
  const { id, name, run, zip, expired = false, size_in_bytes = zip.length } = artifact;
  const of = state.runs.find((each) => each.id === run);
  return {
    ...artifacts[0],
    id,
    name,
    size_in_bytes,
    expired,
    digest: artifact.digest ?? `sha256:${createHash('sha256').update(zip).digest('hex')}`,
    ...(artifact.created_at === undefined ? {} : { created_at: artifact.created_at }),
    workflow_run: {
      id: artifact.claimed_run ?? run,
      repository_id: state.repository.id,
      head_repository_id: of?.head_repository.id ?? state.repository.id,
      head_branch: of?.head_branch ?? 'main',
      head_sha: of?.head_sha ?? '0'.repeat(40),
    },
  };
}

export function refAnswer(ref: string, sha: string): Json {
  const whole = example('git-ref') as { object: Json };
  return { ...whole, ref: `refs/${ref}`, object: { ...whole.object, sha, type: 'commit' } };
}

export function fileAnswer(path: string, text: string): Json {
  const bytes = Buffer.from(text);
  return {
    ...example('content-file-response-if-content-is-a-file'),
    name: path.split('/').at(-1),
    path,
    size: bytes.length,
    content: bytes.toString('base64'),
  };
}

export function signedInUserAnswer(user: User): Json {
  return {
    ...example('private-user-response-with-public-and-private-profile-information'),
    login: user.login,
    id: idOf(user.login),
  };
}

export function labelAnswer(name: string): Json {
  return { ...example('label-items'), name, id: idOf(name) };
}
