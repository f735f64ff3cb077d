/** Shows a run's report where people look: one comment of the pull request, a check run of the commit. */
import { z } from 'zod';

import { defined } from '../model/defined.ts';
import type { CiRun } from '../model/reports/ci-run.ts';
import { commentMarker, renderCiComment, type CiLinks } from '../report/markdown/ci-comment.ts';
import { ciSentence } from '../report/markdown/ci-sentence.ts';
import { truncate } from '../report/text/plain-text.ts';
import { slowerLines } from './slower-lines.ts';
import { GitHubError, type GitHub, type GitHubResponse } from './github/github.ts';

export interface ReportTarget {
  /** `owner/name`. */
  readonly repo: string;
  readonly pull_request?: number;
  readonly head_sha: string;
  /** Tells several Pawl configurations in one repository apart: letters, digits, `.`, `_`, `-`. */
  readonly key: string;
}

export interface PostOptions {
  /** The login that the token acts as, where it is known: `github-actions[bot]`, `my-app[bot]`, a person. */
  readonly login?: string;
  /** A sentence below the verdict. */
  readonly notice?: string;
  /** Default true. */
  readonly checkRun?: boolean;
}

export interface PostedReport {
  readonly comment_id?: number;
  readonly comment_url?: string;
  readonly check_run_id?: number;
  /** What could not be done, a sentence each; the job summary has the report in any case. */
  readonly fallbacks: readonly string[];
}

const DEFAULT_KEY = 'default';

/** Checks of one name on one commit overwrite each other in GitHub's list. */
export function checkRunName(key: string): string {
  return key === DEFAULT_KEY ? 'Pawl' : `Pawl (${key})`;
}

/** Whom a workflow's own GITHUB_TOKEN acts as. */
const ACTIONS_LOGIN = 'github-actions[bot]';

/** Text of a title that GitHub shows in a list of checks. */
const TITLE_COLUMNS = 120;

export async function postReport(
  github: GitHub,
  target: ReportTarget,
  run: CiRun,
  links: CiLinks,
  options: PostOptions = {},
): Promise<PostedReport> {
  const body = renderCiComment(run, links, {
    key: target.key,
    ...defined({ notice: options.notice }),
  });
  const fallbacks: string[] = [];
  const check =
    options.checkRun === false
      ? undefined
      : await orFallback(() => postCheckRun(github, target, run, body, links), 'the check run', fallbacks);
  const comment =
    target.pull_request === undefined
      ? undefined
      : await orFallback(
          () =>
            postComment(
              github,
              { ...target, pull_request: target.pull_request! },
              body,
              options.login ?? check?.login,
            ),
          'the comment',
          fallbacks,
        );
  return {
    ...defined({ comment_id: comment?.id, comment_url: comment?.html_url, check_run_id: check?.id }),
    fallbacks,
  };
}

/** A token that may not write, a locked conversation, a host in trouble: no reason for a red job. */
async function orFallback<Result>(
  post: () => Promise<Result>,
  what: string,
  fallbacks: string[],
): Promise<Result | undefined> {
  try {
    return await post();
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    const hint = error.status === 403 ? ' The token may not write it here.' : '';
    fallbacks.push(`${error.message}.${hint} Without ${what}, the report is in the job summary.`);
    return undefined;
  }
}

/** https://docs.github.com/en/rest/checks/runs#create-a-check-run */
const ANNOTATION_LEVEL = { failure: 'failure', neutral: 'warning', success: 'notice' } as const;

const checkRunSchema = z.object({ id: z.int(), app: z.object({ slug: z.string() }).nullish() });

/** A check run says which app the token belongs to, and so whose comments are our own. */
async function postCheckRun(
  github: GitHub,
  { repo, head_sha, key }: ReportTarget,
  run: CiRun,
  summary: string,
  links: CiLinks,
): Promise<{ readonly id: number; readonly login?: string }> {
  const { word, text } = ciSentence(run);
  const annotations = slowerLines(run).map(({ path, line, title, text: message }) => ({
    path,
    start_line: line,
    end_line: line,
    annotation_level: ANNOTATION_LEVEL[run.conclusion],
    title,
    message,
  }));
  const answer = await github.request('POST', `${pathOf(repo)}/check-runs`, {
    body: {
      name: checkRunName(key),
      head_sha,
      status: 'completed',
      conclusion: run.conclusion,
      external_id: `pawl:${key}`,
      ...defined({ details_url: links.run }),
      output: {
        title: truncate(`${word}: ${text}`, TITLE_COLUMNS),
        summary,
        ...(annotations.length === 0 ? {} : { annotations }),
      },
    },
  });
  const { id, app } = parsed(checkRunSchema, answer);
  const slug = app?.slug;
  return { id, ...(slug === undefined ? {} : { login: `${slug}[bot]` }) };
}

const commentSchema = z.object({
  id: z.int(),
  html_url: z.string(),
  body: z.string().optional(),
  user: z.object({ login: z.string() }).nullish(),
});
type Comment = z.infer<typeof commentSchema>;

type CommentTarget = ReportTarget & { readonly pull_request: number };

async function postComment(
  github: GitHub,
  target: CommentTarget,
  body: string,
  login: string | undefined,
): Promise<Comment> {
  const author = login ?? (await ownLogin(github));
  const existing = await findComment(github, target, author);
  if (existing !== undefined) {
    const answer = await github.request('PATCH', `${pathOf(target.repo)}/issues/comments/${existing.id}`, {
      body: { body },
      // Somebody deleted it meanwhile.
      accept: [404],
    });
    if (answer.status !== 404) return parsed(commentSchema, answer);
  }
  return createComment(github, target, body, author);
}

/** How often creating is tried where it is not known whether it worked. */
const MOST_TRIES = 3;

/** A POST whose answer got lost is not sent again before it was looked for. */
async function createComment(
  github: GitHub,
  target: CommentTarget,
  body: string,
  author: string,
): Promise<Comment> {
  for (let tries = 1; ; tries += 1) {
    try {
      const path = `${pathOf(target.repo)}/issues/${target.pull_request}/comments`;
      return parsed(commentSchema, await github.request('POST', path, { body: { body } }));
    } catch (error) {
      const isUnknown = error instanceof GitHubError && (error.status === 0 || error.status >= 500);
      if (!isUnknown || tries === MOST_TRIES) throw error;
      const made = await findComment(github, target, author);
      if (made !== undefined) return made;
    }
  }
}

/** By author and marker: anybody can write the marker into a comment of their own. Of several, the newest. */
async function findComment(
  github: GitHub,
  { repo, pull_request, key }: CommentTarget,
  author: string,
): Promise<Comment | undefined> {
  const marker = commentMarker(key);
  let newest: Comment | undefined;
  for await (const item of github.pages(`${pathOf(repo)}/issues/${pull_request}/comments`)) {
    const comment = commentSchema.safeParse(item).data;
    const isOurs = comment?.user?.login === author && comment.body?.trimEnd().endsWith(marker) === true;
    if (isOurs && (newest === undefined || comment.id > newest.id)) newest = comment;
  }
  return newest;
}

/** A person's token says whose it is; an app's may not ask, and a workflow's own is the usual app. */
async function ownLogin(github: GitHub): Promise<string> {
  const answer = await github.request('GET', '/user', { accept: [401, 403, 404] });
  return z.object({ login: z.string() }).safeParse(answer.body).data?.login ?? ACTIONS_LOGIN;
}

function parsed<Schema extends z.ZodType>(schema: Schema, { status, body }: GitHubResponse): z.infer<Schema> {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  throw new GitHubError(status, 'the answer of GitHub does not match its API description');
}

function pathOf(repo: string): string {
  return `/repos/${repo.split('/').map(encodeURIComponent).join('/')}`;
}
