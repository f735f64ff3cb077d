/** A branch with a commit of its own, and a pull request for it: for what a run found and a person decides on. */
import { z } from 'zod';

import { PawlError } from '../model/pawl-error.ts';
import { ACTIONS_BOT, type CommittedFile, type GitAuthor, type GitRepository } from '../os/git/repository.ts';
import { GitHubError, type GitHub } from './github/github.ts';

export interface PullRequestProposal {
  /** `owner/name`. */
  readonly repository: string;
  /** What it is to be merged into. */
  readonly base: string;
  /** Pawl's own branch: one that holds somebody else's commits is left alone. */
  readonly branch: string;
  readonly title: string;
  readonly body: string;
  /** The commit's message. */
  readonly message: string;
  readonly files: readonly CommittedFile[];
  /** Default true. */
  readonly draft?: boolean;
  readonly author?: GitAuthor;
  readonly remote?: string;
}

export interface ProposedPullRequest {
  readonly number: number;
  readonly url: string;
  readonly state: 'opened' | 'updated';
  readonly commit: string;
  readonly draft: boolean;
}

const pullSchema = z.object({
  number: z.int().positive(),
  html_url: z.string(),
  draft: z.boolean().optional(),
});

/** Pushes the files to the branch, and opens its pull request or brings the one that is open up to date. */
export async function proposePullRequest(
  github: GitHub,
  git: GitRepository,
  proposal: PullRequestProposal,
): Promise<ProposedPullRequest> {
  const commit = await pushBranch(git, proposal);
  const known = await openPull(github, proposal);
  if (known !== undefined) return { ...(await update(github, proposal, known)), state: 'updated', commit };
  const draft = proposal.draft !== false;
  try {
    return { ...(await create(github, proposal, draft)), state: 'opened', commit };
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    // Private repositories of free plans have no drafts.
    if (error.status === 422 && draft && /draft/i.test(error.message)) {
      return { ...(await create(github, proposal, false)), state: 'opened', commit };
    }
    // Another run may have opened it since we looked.
    const opened = error.status === 422 ? await openPull(github, proposal) : undefined;
    if (opened === undefined) throw notOpened(error, proposal);
    return { ...(await update(github, proposal, opened)), state: 'updated', commit };
  }
}

async function openPull(
  github: GitHub,
  { repository, base, branch }: PullRequestProposal,
): Promise<number | undefined> {
  const query = { state: 'open', head: `${repository.split('/')[0]}:${branch}`, base, per_page: 1 };
  const { body } = await github.request('GET', `/repos/${repository}/pulls`, { query });
  return z.array(pullSchema).parse(body)[0]?.number;
}

async function update(github: GitHub, { repository, title, body }: PullRequestProposal, number: number) {
  const path = `/repos/${repository}/pulls/${number}`;
  return summary((await github.request('PATCH', path, { body: { title, body } })).body);
}

async function create(github: GitHub, proposal: PullRequestProposal, draft: boolean) {
  const { repository, title, body, base, branch } = proposal;
  const answer = await github.request('POST', `/repos/${repository}/pulls`, {
    body: { title, body, base, head: branch, draft, maintainer_can_modify: false },
  });
  return summary(answer.body);
}

function summary(body: unknown): Pick<ProposedPullRequest, 'number' | 'url' | 'draft'> {
  const { number, html_url, draft } = pullSchema.parse(body);
  return { number, url: html_url, draft: draft === true };
}

async function pushBranch(git: GitRepository, proposal: PullRequestProposal): Promise<string> {
  const { remote = 'origin', base, branch, files, message, author = ACTIONS_BOT } = proposal;
  if (branch === base) throw new PawlError('usage', `${branch} is the branch to merge into.`);
  const onto = await git.fetchTip(remote, base);
  if (onto === undefined) throw new PawlError('usage', `${remote} has no branch ${base}.`);
  const tip = await git.fetchTip(remote, branch);
  if (tip !== undefined) await refuseForeign(git, tip, onto, branch, author);
  const isBehind = tip !== undefined && !(await git.isAncestor(onto, tip));
  const parents = tip === undefined ? [onto] : isBehind ? [tip, onto] : [tip];
  const commit = await git.commit({ parents, tree: onto, files, message, author });
  if (commit === onto) throw new PawlError('usage', `Nothing to propose: ${base} already has it.`);
  const outcome = await git.push(remote, commit, branch);
  if (outcome.state === 'pushed') return commit;
  throw new PawlError(
    outcome.state === 'refused' ? 'permission' : 'try-again',
    `${branch} was not pushed: ${outcome.message}.`,
    outcome.state === 'refused' ? 'The job needs `contents: write`.' : 'Run the job again.',
  );
}

/** Our commits are made again from the base each time; somebody's work on the branch would be undone by that. */
async function refuseForeign(
  git: GitRepository,
  tip: string,
  onto: string,
  branch: string,
  author: GitAuthor,
): Promise<void> {
  if (await git.isAncestor(tip, onto)) return;
  const committer = await git.committerOf(tip);
  if (committer === `${author.name} <${author.email}>`) return;
  throw new PawlError(
    'usage',
    `The branch ${branch} has a commit by ${committer}, so it was not changed.`,
    'Merge or delete the branch, or choose another one.',
  );
}

function notOpened(error: GitHubError, { repository, base, branch }: PullRequestProposal): PawlError {
  return new PawlError(
    error.status === 403 ? 'permission' : 'unavailable',
    `The branch ${branch} was pushed, but no pull request could be opened: ${error.message}.`,
    `Open it by hand from ${branch} into ${base} of ${repository}, or allow workflows to open it: Settings → Actions → General → "Allow GitHub Actions to create and approve pull requests", and \`pull-requests: write\` for the job.`,
  );
}
