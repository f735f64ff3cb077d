/** `pawl ci baseline`: the file that a trusted re-measurement made, on the main branch or proposed to it. */
import { defined } from '../model/defined.ts';
import {
  baselineForProposal,
  pushBaseline,
  type PushBaselineOptions,
  type PushedBaseline,
} from '../workflows/push-baseline.ts';
import { GitRepository } from '../os/git/repository.ts';
import { PawlError } from '../model/pawl-error.ts';
import { baselineEvent } from './baseline-event.ts';
import { proposePullRequest, type ProposedPullRequest } from './draft-pull-request.ts';
import type { GitHub } from './github/github.ts';

/** One branch for all runs that were refused: what one of them proposed is not lost when the next one comes. */
const PROPOSAL_BRANCH = 'pawl/baseline';
/** Without the mark of the pushed commit: it would skip the checks of the pull request as well. */
const PROPOSAL_TITLE = 'perf: ratchet baseline forward';

export interface BaselinePushOptions extends Omit<
  PushBaselineOptions,
  'branch' | 'commit' | 'credentials' | 'env'
> {
  readonly env: NodeJS.ProcessEnv;
  readonly allowFork?: boolean;
  /** Opens a pull request where the branch does not take the push; undefined without a token. */
  readonly github?: GitHub;
  /** For the push itself, where the clone holds none. */
  readonly token?: string;
}

export type BaselinePushOutcome =
  | Exclude<PushedBaseline, { state: 'refused' }>
  | { readonly state: 'proposed'; readonly why: string; readonly pull_request: ProposedPullRequest };

export async function pushBaselineForEvent(options: BaselinePushOptions): Promise<BaselinePushOutcome> {
  const { env, allowFork, github, token, ...rest } = options;
  const event = await baselineEvent(env, defined({ allowFork }));
  const host = env['GITHUB_SERVER_URL'] ?? 'https://github.com';
  const credentials = token === undefined ? {} : { credentials: { host, token } };
  const push = { ...rest, ...credentials, env, branch: event.branch, commit: event.commit };
  const git = await GitRepository.open(rest.cwd ?? process.cwd(), { env, ...credentials });
  if ((await git.commitOf('HEAD')) !== event.commit) {
    throw new PawlError(
      'permission',
      'The working tree is not at the pushed commit.',
      'Check out ${{ github.sha }}.',
    );
  }
  const outcome = await pushBaseline(push);
  if (outcome.state !== 'refused') return outcome;
  if (github === undefined) throw refused(outcome.message);
  const file = await baselineForProposal(push, PROPOSAL_BRANCH);
  const pull_request = await proposePullRequest(github, git, {
    repository: event.repository,
    base: event.branch,
    branch: PROPOSAL_BRANCH,
    title: PROPOSAL_TITLE,
    body: proposalText(event.branch, event.commit),
    message: PROPOSAL_TITLE,
    files: [file],
    draft: false,
    ...defined({ author: rest.author, remote: rest.remote }),
  });
  return { state: 'proposed', why: outcome.message, pull_request };
}

function proposalText(branch: string, commit: string): string {
  return `Measurements on ${branch} at ${commit} update the baseline, and ${branch} refuses a push from this workflow.

The job that measured has no token and no key; this one checked what it proposed, and runs no kernel. \`pawl ratchet verify\` on this branch says whether it was edited since. Later runs add to this pull request until it is merged.
`;
}

function refused(message: string): PawlError {
  return new PawlError(
    'permission',
    `The branch refused the baseline: ${message}.`,
    'Give the job a token, so that it opens a pull request; or let the workflow bypass the branch rule. The file is in the artifacts.',
  );
}
