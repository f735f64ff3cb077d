/** The operations of the stand-in. Each answers from the state, or changes it. */
import {
  artifactAnswer,
  checkRunAnswer,
  commentAnswer,
  fileAnswer,
  fullRepositoryAnswer,
  labelAnswer,
  pullAnswer,
  refAnswer,
  runAnswer,
  signedInUserAnswer,
} from './answers.ts';
import type { CheckRun, GitHubState, User } from './state.ts';

export type Scope = 'comments' | 'checks' | 'pulls' | 'contents' | 'actions';

interface Call {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: Readonly<Record<string, unknown>>;
  readonly state: GitHubState;
  /** Whom the token belongs to. */
  readonly actor: User;
  readonly now: () => Date;
  readonly nextId: () => number;
}

export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  /** A list, to be cut into pages; `wrap` puts a page into its envelope. */
  readonly list?: readonly unknown[];
  readonly wrap?: (page: readonly unknown[], total: number) => unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Route {
  readonly method: string;
  readonly path: string;
  readonly scope?: Scope;
  readonly answer: (call: Call) => Answer;
}

/** What GitHub refuses: 65,536 characters of a comment, 65,535 of a check run's texts. */
const COMMENT_MAX = 65_536;
const SUMMARY_MAX = 65_535;

const NOT_FOUND: Answer = { status: 404, body: { message: 'Not Found' } };

function invalid(resource: string, field: string, message: string): Answer {
  const errors = [{ resource, field, code: 'custom', message }];
  return { status: 422, body: { message: 'Validation Failed', errors } };
}

const found = (body: unknown): Answer => ({ status: 200, body });

function commentProblem(body: unknown): Answer | undefined {
  if (typeof body !== 'string' || body.trim() === '') return invalid('IssueComment', 'body', 'is blank');
  return body.length > COMMENT_MAX ? invalid('IssueComment', 'body', 'Body is too long') : undefined;
}

const COMMENTS: readonly Route[] = [
  {
    method: 'GET',
    path: '/repos/:owner/:repo/issues/:number/comments',
    answer: ({ params, state }) => {
      const issue = Number(params['number']);
      if (!state.pulls.some(({ number }) => number === issue)) return NOT_FOUND;
      const own = state.comments.filter((comment) => comment.issue === issue);
      return { status: 200, list: own.map((comment) => commentAnswer(comment, state)) };
    },
  },
  {
    method: 'POST',
    path: '/repos/:owner/:repo/issues/:number/comments',
    scope: 'comments',
    answer: ({ params, body, state, actor, now, nextId }) => {
      const issue = Number(params['number']);
      if (!state.pulls.some(({ number }) => number === issue)) return NOT_FOUND;
      const problem = commentProblem(body['body']);
      if (problem !== undefined) return problem;
      const comment = {
        id: nextId(),
        issue,
        user: actor,
        body: String(body['body']),
        created_at: now().toISOString(),
      };
      state.comments.push(comment);
      return { status: 201, body: commentAnswer(comment, state) };
    },
  },
  {
    method: 'GET',
    path: '/repos/:owner/:repo/issues/comments/:id',
    answer: ({ params, state }) => {
      const comment = state.comments.find(({ id }) => id === Number(params['id']));
      return comment === undefined ? NOT_FOUND : found(commentAnswer(comment, state));
    },
  },
  {
    method: 'PATCH',
    path: '/repos/:owner/:repo/issues/comments/:id',
    scope: 'comments',
    answer: ({ params, body, state, actor }) => {
      const comment = state.comments.find(({ id }) => id === Number(params['id']));
      if (comment === undefined) return NOT_FOUND;
      // Writers may edit anybody's; that it must not happen is the client's business, so the stand-in is strict.
      if (comment.user.login !== actor.login)
        return { status: 403, body: { message: 'Must be the author in this stand-in' } };
      const problem = commentProblem(body['body']);
      if (problem !== undefined) return problem;
      comment.body = String(body['body']);
      return found(commentAnswer(comment, state));
    },
  },
  {
    method: 'DELETE',
    path: '/repos/:owner/:repo/issues/comments/:id',
    scope: 'comments',
    answer: ({ params, state }) => {
      const index = state.comments.findIndex(({ id }) => id === Number(params['id']));
      if (index < 0) return NOT_FOUND;
      state.comments.splice(index, 1);
      return { status: 204 };
    },
  },
  {
    method: 'POST',
    path: '/repos/:owner/:repo/issues/:number/labels',
    scope: 'comments',
    answer: ({ params, body, state }) => {
      const issue = Number(params['number']);
      const names = Array.isArray(body['labels']) ? body['labels'].map(String) : [];
      for (const name of names) state.labels.push({ issue, name });
      const all = state.labels.filter((label) => label.issue === issue);
      return found(all.map(({ name }) => labelAnswer(name)));
    },
  },
];

const CHECKS: readonly Route[] = [
  {
    method: 'POST',
    path: '/repos/:owner/:repo/check-runs',
    scope: 'checks',
    answer: ({ body, state, actor, nextId }) => {
      if (actor.type !== 'Bot')
        return { status: 403, body: { message: 'You must authenticate via a GitHub App.' } };
      const run: CheckRun = {
        id: nextId(),
        name: String(body['name']),
        head_sha: String(body['head_sha']),
        status: 'queued',
        conclusion: null,
        details_url: null,
        external_id: '',
        output: { title: null, summary: null, text: null },
        slug: actor.login.replace(/\[bot\]$/u, ''),
      };
      const problem = changeCheckRun(run, body);
      if (problem !== undefined) return problem;
      state.checkRuns.push(run);
      return { status: 201, body: checkRunAnswer(run, state) };
    },
  },
  {
    method: 'GET',
    path: '/repos/:owner/:repo/check-runs/:id',
    answer: ({ params, state }) => {
      const run = state.checkRuns.find(({ id }) => id === Number(params['id']));
      return run === undefined ? NOT_FOUND : found(checkRunAnswer(run, state));
    },
  },
  {
    method: 'PATCH',
    path: '/repos/:owner/:repo/check-runs/:id',
    scope: 'checks',
    answer: ({ params, body, state }) => {
      const run = state.checkRuns.find(({ id }) => id === Number(params['id']));
      if (run === undefined) return NOT_FOUND;
      return changeCheckRun(run, body) ?? found(checkRunAnswer(run, state));
    },
  },
  {
    method: 'GET',
    path: '/repos/:owner/:repo/commits/:ref/check-runs',
    answer: ({ params, query, state }) => {
      const name = query.get('check_name');
      const runs = state.checkRuns.filter(
        (run) => run.head_sha === params['ref'] && (name === null || run.name === name),
      );
      return {
        status: 200,
        list: runs.map((run) => checkRunAnswer(run, state)),
        wrap: (check_runs, total_count) => ({ total_count, check_runs }),
      };
    },
  },
];

/** GitHub: a conclusion completes a run. */
function changeCheckRun(run: CheckRun, body: Call['body']): Answer | undefined {
  const output = body['output'] as Partial<CheckRun['output']> | undefined;
  for (const field of ['summary', 'text'] as const) {
    if ((output?.[field]?.length ?? 0) > SUMMARY_MAX) return invalid('CheckRun', field, 'is too long');
  }
  if (typeof body['name'] === 'string') run.name = body['name'];
  if (typeof body['status'] === 'string') run.status = body['status'];
  if (typeof body['details_url'] === 'string') run.details_url = body['details_url'];
  if (typeof body['external_id'] === 'string') run.external_id = body['external_id'];
  if (typeof body['conclusion'] === 'string') {
    run.conclusion = body['conclusion'];
    run.status = 'completed';
  }
  if (output !== undefined) {
    run.output = {
      title: output.title ?? null,
      summary: output.summary ?? null,
      text: output.text ?? null,
    };
  }
  return undefined;
}

const PULLS: readonly Route[] = [
  {
    method: 'GET',
    path: '/repos/:owner/:repo/commits/:sha/pulls',
    answer: ({ params, state }) => {
      // As GitHub has it: commits that only a fork holds belong to no pull request here.
      const own = state.pulls.filter(
        ({ head }) => head.sha === params['sha'] && head.repo?.id === state.repository.id,
      );
      return { status: 200, list: own.map((pull) => pullAnswer(pull, state, 'simple')) };
    },
  },
  {
    method: 'GET',
    path: '/repos/:owner/:repo/pulls',
    answer: ({ query, state }) => {
      const wanted = {
        state: query.get('state') ?? 'open',
        head: query.get('head'),
        base: query.get('base'),
      };
      const pulls = state.pulls.filter(({ head, base, state: now }) => {
        const owner = head.repo?.full_name.split('/')[0] ?? '';
        return (
          (wanted.state === 'all' || wanted.state === now) &&
          (wanted.head === null || wanted.head === `${owner}:${head.ref}`) &&
          (wanted.base === null || wanted.base === base.ref)
        );
      });
      return { status: 200, list: pulls.map((pull) => pullAnswer(pull, state, 'simple')) };
    },
  },
  {
    method: 'POST',
    path: '/repos/:owner/:repo/pulls',
    scope: 'pulls',
    answer: ({ body, state, actor }) => {
      const head = String(body['head']).split(':').at(-1)!;
      const base = String(body['base']);
      const isThere = state.pulls.some(
        (pull) => pull.state === 'open' && pull.head.ref === head && pull.base.ref === base,
      );
      if (isThere) return invalid('PullRequest', 'head', `A pull request already exists for ${head}.`);
      const pull = {
        number: Math.max(0, ...state.pulls.map(({ number }) => number)) + 1,
        state: 'open' as const,
        draft: body['draft'] === true,
        title: String(body['title']),
        body: typeof body['body'] === 'string' ? body['body'] : null,
        user: actor,
        head: {
          ref: head,
          sha: state.refs.get(`heads/${head}`) ?? '1'.repeat(40),
          repo: state.repository,
        },
        base: { ref: base, sha: state.refs.get(`heads/${base}`) ?? '2'.repeat(40) },
      };
      state.pulls.push(pull);
      return { status: 201, body: pullAnswer(pull, state, 'full') };
    },
  },
  {
    method: 'GET',
    path: '/repos/:owner/:repo/pulls/:number',
    answer: ({ params, state }) => {
      const pull = state.pulls.find(({ number }) => number === Number(params['number']));
      return pull === undefined ? NOT_FOUND : found(pullAnswer(pull, state, 'full'));
    },
  },
  {
    method: 'PATCH',
    path: '/repos/:owner/:repo/pulls/:number',
    scope: 'pulls',
    answer: ({ params, body, state }) => {
      const pull = state.pulls.find(({ number }) => number === Number(params['number']));
      if (pull === undefined) return NOT_FOUND;
      if (typeof body['title'] === 'string') pull.title = body['title'];
      if (typeof body['body'] === 'string') pull.body = body['body'];
      if (body['state'] === 'open' || body['state'] === 'closed') pull.state = body['state'];
      return found(pullAnswer(pull, state, 'full'));
    },
  },
];

const ACTIONS: readonly Route[] = [
  {
    method: 'GET',
    path: '/repos/:owner/:repo/actions/runs/:id',
    answer: ({ params, state }) => {
      const run = state.runs.find(({ id }) => id === Number(params['id']));
      return run === undefined ? NOT_FOUND : found(runAnswer(run, state));
    },
  },
  {
    method: 'GET',
    path: '/repos/:owner/:repo/actions/runs/:id/artifacts',
    answer: ({ params, query, state }) => {
      const name = query.get('name');
      const artifacts = state.artifacts.filter(
        (each) => each.run === Number(params['id']) && (name === null || each.name === name),
      );
      return {
        status: 200,
        list: artifacts.map((artifact) => artifactAnswer(artifact, state)),
        wrap: (page, total_count) => ({ total_count, artifacts: page }),
      };
    },
  },
  {
    method: 'GET',
    path: '/repos/:owner/:repo/actions/artifacts/:id/zip',
    scope: 'actions',
    answer: ({ params, state }) => {
      const artifact = state.artifacts.find(({ id }) => id === Number(params['id']));
      if (artifact === undefined) return NOT_FOUND;
      if (artifact.expired === true) return { status: 410, body: { message: 'Artifact has expired' } };
      return { status: 302, headers: { location: `/_blobs/${artifact.id}` } };
    },
  },
];

const GIT: readonly Route[] = [
  {
    method: 'GET',
    path: '/repos/:owner/:repo/git/ref/*ref',
    answer: ({ params, state }) => {
      const sha = state.refs.get(params['ref']!);
      return sha === undefined ? NOT_FOUND : found(refAnswer(params['ref']!, sha));
    },
  },
  {
    method: 'POST',
    path: '/repos/:owner/:repo/git/refs',
    scope: 'contents',
    answer: ({ body, state }) => {
      const ref = String(body['ref']).replace(/^refs\//u, '');
      if (state.refs.has(ref)) return { status: 422, body: { message: 'Reference already exists' } };
      state.refs.set(ref, String(body['sha']));
      return { status: 201, body: refAnswer(ref, String(body['sha'])) };
    },
  },
  {
    method: 'PATCH',
    path: '/repos/:owner/:repo/git/refs/*ref',
    scope: 'contents',
    answer: ({ params, body, state }) => {
      if (!state.refs.has(params['ref']!))
        return { status: 422, body: { message: 'Reference does not exist' } };
      state.refs.set(params['ref']!, String(body['sha']));
      return found(refAnswer(params['ref']!, String(body['sha'])));
    },
  },
  {
    method: 'GET',
    path: '/repos/:owner/:repo/contents/*path',
    answer: ({ params, state }) => {
      const text = state.files.get(params['path']!);
      return text === undefined ? NOT_FOUND : found(fileAnswer(params['path']!, text));
    },
  },
  {
    method: 'GET',
    path: '/repos/:owner/:repo',
    answer: ({ state }) => found(fullRepositoryAnswer(state)),
  },
];

export const ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/user',
    answer: ({ actor }) =>
      actor.type === 'Bot'
        ? { status: 403, body: { message: 'Resource not accessible by integration' } }
        : found(signedInUserAnswer(actor)),
  },
  ...COMMENTS,
  ...CHECKS,
  ...PULLS,
  ...ACTIONS,
  ...GIT,
];
